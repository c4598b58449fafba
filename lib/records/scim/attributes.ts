import { isJsonObject } from "../../platform/json-values";
import { GROUP_SCHEMA, MAX_PATH_LENGTH, USER_SCHEMA } from "./vocabulary";

export type ResourceType = "User" | "Group";

/** Attributes that are stored, with their sub-attributes. Others are accepted and ignored (RFC 7644, section 3.3). */
const ATTRIBUTES: Readonly<Record<ResourceType, Readonly<Record<string, readonly string[]>>>> = {
  User: {
    userName: [],
    externalId: [],
    name: ["formatted", "givenName", "familyName"],
    displayName: [],
    active: [],
  },
  Group: { displayName: [], externalId: [], members: ["value", "display", "type"] },
};

const CORE_SCHEMAS: Readonly<Record<ResourceType, string>> = { User: USER_SCHEMA, Group: GROUP_SCHEMA };

/** Returns a name as the standard spells it, because names of attributes are case-insensitive; undefined for others. */
const spelled = (names: readonly string[], given: string): string | undefined =>
  names.find((name) => name.toLowerCase() === given.toLowerCase());

/** Returns a name without the schema of its resource (RFC 7644, section 3.10). */
export function withoutSchema(type: ResourceType, name: string): string {
  const prefix = `${CORE_SCHEMAS[type]}:`;
  return name.toLowerCase().startsWith(prefix.toLowerCase()) ? name.slice(prefix.length) : name;
}

function withKnownParts(parts: readonly string[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withKnownParts(parts, entry));
  if (parts.length === 0 || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const known = spelled(parts, name);
      return known === undefined ? [] : [[known, part]];
    }),
  );
}

/** Returns the attributes of a resource that are stored, under their standard names. */
export function storedAttributes(type: ResourceType, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = ATTRIBUTES[type];
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const attribute = spelled(Object.keys(known), withoutSchema(type, name));
      return attribute === undefined ? [] : [[attribute, withKnownParts(known[attribute] ?? [], value)]];
    }),
  );
}

/** A parsed path: `members[value eq "user_1"]`, `name.givenName`. */
export interface AttributePath {
  attribute: string;
  /** The text in brackets. */
  filter: string | null;
  part: string | null;
}

const PATH = /^([a-z][\w-]*)(?:\[(.*)\])?(?:\.([a-z$][\w-]*))?$/i;

/** Control characters let the library's expression for quoted texts take exponential time. */
export const hasControls = (text: string): boolean => /\p{Cc}/u.test(text);

/** Parses the path of an attribute; "ignored" for one that isn't stored, null for a text that isn't a path. */
export function parsePath(type: ResourceType, text: string): AttributePath | "ignored" | null {
  if (text.length > MAX_PATH_LENGTH || hasControls(text)) return null;
  const [unfiltered = ""] = text.split("[", 1);
  const colon = unfiltered.lastIndexOf(":");
  const schema = unfiltered.slice(0, Math.max(0, colon)).toLowerCase();
  const [match, name = "", filter = null, subName] = PATH.exec(text.slice(colon + 1)) ?? [];
  if (match === undefined || (colon >= 0 && !schema.startsWith("urn:"))) return null;
  if (schema !== "" && schema !== CORE_SCHEMAS[type].toLowerCase()) return "ignored";
  const known = ATTRIBUTES[type];
  const attribute = spelled(Object.keys(known), name);
  if (attribute === undefined) return "ignored";
  if (subName === undefined) return { attribute, filter, part: null };
  const part = spelled(known[attribute] ?? [], subName);
  return part === undefined ? "ignored" : { attribute, filter, part };
}

/** Returns a value for the attribute of a path, without unknown sub-attributes. */
export const knownValue = (type: ResourceType, { attribute, part }: AttributePath, value: unknown): unknown =>
  part === null ? withKnownParts(ATTRIBUTES[type][attribute] ?? [], value) : value;

/** Attributes that every response contains. */
const ALWAYS: ReadonlySet<string> = new Set(["id", "schemas"]);

const namesIn = (type: ResourceType, list: string | undefined): string[] | null =>
  list === undefined
    ? null
    : list
        .split(",")
        .map((name) => withoutSchema(type, name.trim()).toLowerCase())
        .filter((name) => name !== "");

/** Decides which attributes a response contains (RFC 7644, section 3.9). */
export interface Projection {
  wants: (attribute: string) => boolean;
  of: <T extends object>(resource: T) => T;
}

export function projection(
  type: ResourceType,
  query: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): Projection {
  const wanted = namesIn(type, query.attributes);
  const excluded = new Set(namesIn(type, query.excludedAttributes) ?? []);
  const wants = (attribute: string, part?: string) => {
    const name = attribute.toLowerCase();
    if (ALWAYS.has(name)) return true;
    const path = part === undefined ? null : `${name}.${part.toLowerCase()}`;
    if (excluded.has(name) || (path !== null && excluded.has(path))) return false;
    if (wanted === null || wanted.includes(name)) return true;
    return path === null ? wanted.some((one) => one.startsWith(`${name}.`)) : wanted.includes(path);
  };
  const parts = (attribute: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((entry: unknown) => parts(attribute, entry));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([part]) => wants(attribute, part)));
  };
  return {
    wants: (attribute) => wants(attribute),
    of: <T extends object>(resource: T) =>
      wanted === null && excluded.size === 0
        ? resource
        : (Object.fromEntries(
            Object.entries(resource).flatMap(([name, value]) => (wants(name) ? [[name, parts(name, value)]] : [])),
          ) as T),
  };
}
