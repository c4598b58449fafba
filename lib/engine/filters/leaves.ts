import { isJsonObject } from "../../platform/json-values";
import type { Protocol } from "../endpoint";
import { BETA_HEADERS, MEDIA, OPAQUE, requestVocabulary, UNSCANNED, type Vocabulary } from "./coverage";
import { isTrusted } from "./trusted";
import { fieldsInRequest, isMediaPlace, isOpaque, isSealField, type LeafPath } from "./places";

/**
 * Form of a leaf: a text, JSON that must stay valid, base64 or a data URL of media or of a file, a number, or the name
 * of a property.
 */
export type LeafForm = "text" | "json" | "media" | "file" | "number" | "name";

/** A string, property name or number that is scanned. */
export interface Leaf {
  /** Path in the caller's body; for a property's name, the path of the property. */
  path: LeafPath;
  text: string;
  form: LeafForm;
  /** True when it belongs to a message of role `user`. */
  isUser: boolean;
  /** True when the application wrote it: its instructions, and definitions of tools and formats. */
  isTrusted?: true;
  /** True when rewriting it breaks the request: a name, an ID, a URL, a grammar. */
  isFixed: boolean;
  /** Ordinal of the text's message or item, in reading order; null for other fields. */
  turn: number | null;
  /** Ordinal of the message or item whose tool call has this argument. */
  callTurn?: number | undefined;
  /** Name of the property with this value, unless a protocol defines the name. It may describe the value. */
  label?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Position in the request body, and the context that nested values inherit. */
interface Place {
  path: LeafPath;
  isUser: boolean;
  turn: number | null;
  vocabulary: Vocabulary;
}

const WEB_URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;
/** Objects whose keys the caller defines, so that no key makes its value an identifier. */
const RECORDS = new Set(["action", "operation", "metadata", "variables"]);
/** Fields within which a name identifies a tool, a call or a format. */
const NAMED = new Set(["tools", "tool_choice", "function", "json_schema", "format"]);
/** Fields of a tool call. */
const CALLED = ["arguments", "call_id", "input"];

/** Kinds of keys, as bits. */
const [SOURCE, ADDRESS, NAME, IDENTIFIER, ASIDE] = [1, 2, 4, 8, 16];
const KINDS: readonly (readonly [kind: number, keys: RegExp])[] = [
  // Source of grammars, which a replacement would break.
  [SOURCE, /^(?:pattern|definition)$/],
  [ADDRESS, /^(?:url|\w+_url|file_data)$/],
  [NAME, /^name$/],
  // Identifiers, unless they contain several words.
  [
    IDENTIFIER,
    /^(?:type|role|status|phase|id|\w+_ids?|server_label|authorization|required|ref|\$\w+|encrypted_content|signature|media_type|\w+_name|syntax|format|inherited_function_names|allowed_tools|analysis_models)$/,
  ],
  // Texts that aren't part of the conversation.
  [ASIDE, /^(?:filename|name|url|\w+_url|arguments|detail)$/],
];
const kindsOf = (key: string) => KINDS.reduce((kinds, [kind, keys]) => (keys.test(key) ? kinds | kind : kinds), 0);
/** Cached kinds of the keys that protocols define; callers could send any number of others. */
const known = new Map<string, number>();

function kindsOfKey(key: string, { names }: Vocabulary): number {
  const kinds = known.get(key);
  if (kinds !== undefined) return kinds;
  const found = kindsOf(key);
  if (names.has(key)) known.set(key, found);
  return found;
}

/** Smaller numbers have fewer than seven digits, and aren't personal data. */
export const SHORT_NUMBER = 1_000_000;
/** Fields of the conversation; models read the instructions first. */
const INSTRUCTIONS = ["instructions", "system"];
const CONVERSATION = new Set([...INSTRUCTIONS, "messages", "input"]);

/**
 * Yields every string, property name and long number of a request body, instructions first, except the exemptions in
 * lib/engine/filters/coverage.ts. Yields null for a value that isn't scanned, so that a long walk can pause.
 */
export function* leavesOf(protocol: Protocol, body: Fields): Generator<Leaf | null> {
  for (const leaf of withoutTrust(protocol, body))
    yield leaf && isTrusted(body, leaf.path) ? { ...leaf, isTrusted: true } : leaf;
}

/** Returns the leaf for the beta features that a request's header names. */
export const betaLeaf = (protocol: Protocol, text: string): Leaf => ({
  path: [BETA_HEADERS[protocol]],
  text,
  form: "text",
  isUser: false,
  isTrusted: true,
  isFixed: true,
  turn: null,
});

function* withoutTrust(protocol: Protocol, body: Fields): Generator<Leaf | null> {
  const vocabulary = requestVocabulary();
  let turn = 0;
  for (const key of keysOf(body)) {
    if (UNSCANNED[protocol].has(key)) continue;
    const place: Place = { path: [], isUser: key === "input", turn: null, vocabulary };
    if (!vocabulary.names.has(key)) yield nameLeaf(key, { ...place, isUser: false });
    const value = body[key];
    if (CONVERSATION.has(key)) {
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index += 1) {
          const item: unknown = value[index];
          const isUser = isJsonObject(item) && item["role"] === "user";
          const within = { path: [key], isUser, turn: turn++, vocabulary };
          if (isContainer(item)) yield* below(item, key, body, inside(within, index));
          else yield leafOf(item, index, key, body, within);
        }
        continue;
      }
      place.turn = turn++;
    } else place.isUser = false;
    if (isContainer(value)) yield* below(value, key, body, inside(place, key));
    else yield leafOf(value, key, key, body, place);
  }
}

/** Returns the names of a body's fields, instructions first. */
function keysOf(body: Fields): string[] {
  const keys = Object.keys(body);
  const first = INSTRUCTIONS.filter((name) => name in body);
  return first.length === 0 ? keys : [...first, ...keys.filter((key) => !first.includes(key))];
}

const isContainer = (value: unknown): value is Fields | unknown[] => Array.isArray(value) || isJsonObject(value);

const inside = ({ path, isUser, turn, vocabulary }: Place, part: string | number): Place => ({
  path: [...path, part],
  isUser,
  turn,
  vocabulary,
});

/** Yields the leaves within a list or object in the field `key` of `owner`. */
function* below(value: Fields | unknown[], key: string, owner: Fields, place: Place): Generator<Leaf | null> {
  if (Array.isArray(value))
    for (let index = 0; index < value.length; index += 1) {
      const part: unknown = value[index];
      if (isContainer(part)) yield* below(part, key, owner, inside(place, index));
      else yield leafOf(part, index, key, owner, place);
    }
  else
    for (const name of Object.keys(value)) {
      if (!place.vocabulary.names.has(name)) yield nameLeaf(name, place);
      const part = value[name];
      if (isContainer(part)) yield* below(part, name, value, inside(place, name));
      else yield leafOf(part, name, name, value, place);
    }
}

const nameLeaf = (name: string, { path, isUser }: Place): Leaf => ({
  path: [...path, name],
  text: name,
  form: "name",
  isUser,
  isFixed: true,
  turn: null,
});

/** Returns the leaf of the value at `part` of a place, in the field `key` of `owner`; null if it isn't scanned. */
function leafOf(value: unknown, part: string | number, key: string, owner: Fields, place: Place): Leaf | null {
  if (typeof value === "string") return stringLeaf(value, part, key, owner, place);
  return typeof value === "number" ? numberLeaf(value, part, key, place) : null;
}

function numberLeaf(value: number, part: string | number, key: string, place: Place): Leaf | null {
  if (Math.abs(value) < SHORT_NUMBER || !Number.isFinite(value)) return null;
  const { path, isUser, vocabulary } = place;
  // Replacing a number in a field that the protocol defines would break the request.
  const isFixed = vocabulary.names.has(key) && path.length === 0;
  const label = labelOf(key, vocabulary);
  const callTurn = callTurnOf(place);
  return { path: [...path, part], text: String(value), form: "number", isUser, isFixed, turn: null, callTurn, label };
}

/** Returns the turn of a value in the input of a tool call; undefined for other values. */
const callTurnOf = ({ path, turn }: Place) => (turn !== null && path.includes("input", 1) ? turn : undefined);

function stringLeaf(value: string, part: string | number, key: string, owner: Fields, place: Place): Leaf | null {
  const { isUser, vocabulary } = place;
  if (value.length <= vocabulary.longest && vocabulary.values.get(key)?.has(value)) return null;
  const path = [...place.path, part];
  if (!isUser && isOpaque(value) && isSealField(OPAQUE, fieldsInRequest(path), path, owner)) return null;
  const kinds = kindsOfKey(key, vocabulary);
  const form = formOf(value, key, owner, path);
  const isFixed = form === "text" && kinds !== 0 && isReference(value, kinds, owner, path);
  const isSaid = form === "text" && !isFixed && (kinds & ASIDE) === 0;
  return {
    path,
    text: value,
    form,
    isUser,
    isFixed,
    turn: isSaid ? place.turn : null,
    callTurn: form === "json" ? (place.turn ?? undefined) : callTurnOf(place),
    label: labelOf(key, vocabulary),
  };
}

/** Returns the name of a property unless a protocol defines it. */
export const labelOf = (key: string, { names }: Vocabulary): string | undefined => (names.has(key) ? undefined : key);

function formOf(value: string, key: string, owner: Fields, path: LeafPath): LeafForm {
  if (key === "arguments") return "json";
  if (!MEDIA.has(key) || !isMediaPlace(path)) return "text";
  if (key === "file_data") return WEB_URL.test(value) ? "text" : "file";
  if (key === "data" && path.at(-2) === "source" && owner["type"] === "base64")
    return String(owner["media_type"]).startsWith("image/") ? "media" : "file";
  const isMedia =
    /^data:/i.test(value) ||
    key === "b64_json" ||
    (key === "data" && path.at(-2) === "input_audio") ||
    (key === "result" && owner["type"] === "image_generation_call");
  return isMedia ? "media" : "text";
}

/** True for values that software interprets, so that changing them breaks the request. */
function isReference(value: string, kinds: number, owner: Fields, path: LeafPath): boolean {
  if (path.some((part, index) => RECORDS.has(String(part)) || (part === "input" && index > 0))) return false;
  if ((kinds & SOURCE) !== 0) return true;
  if ((kinds & ADDRESS) !== 0) return WEB_URL.test(value);
  if ((kinds & NAME) !== 0)
    return CALLED.some((field) => field in owner) || path.some((part) => NAMED.has(String(part)));
  return (kinds & IDENTIFIER) !== 0 && /^\S*$/.test(value);
}
