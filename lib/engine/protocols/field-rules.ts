import type { Honour } from "./honour";

/** Fields of a request or of a part of it. */
export type Fields = Readonly<Record<string, unknown>>;
export type Draft = Record<string, unknown>;
export type FieldPath = readonly (string | number)[];

/** A part of a request that upstreams of another protocol don't support. */
export interface Unconvertible {
  path: FieldPath;
  message: string;
  /** Sends the part nevertheless to endpoints that support `parameter`. */
  unless?: { parameter: string; write: (draft: Draft) => void };
  /** Set for a tool or field that endpoints can do without. They receive the rest. */
  leftOut?: LeftOut;
}
export type LeftOut = { tool: string } | "field";

export type Refuse = (
  path: FieldPath,
  message: string,
  unless?: Unconvertible["unless"],
  leftOut?: Unconvertible["leftOut"],
) => void;

/** Marks refusals of a tool as optional: an agent offers the tool beside its own. */
export const leavingOut =
  (tool: string, refuse: Refuse): Refuse =>
  (path, message, unless) =>
    refuse(path, message, unless, { tool });

/** Leaves out a field that doesn't change what is requested; the response's warnings name it. */
export const drop = (path: FieldPath, refuse: Refuse, unless?: Unconvertible["unless"]): void =>
  refuse(path, "isn't sent", unless, "field");

/** Sends a field that only Chat Completions upstreams don't support to upstreams of other protocols. */
export const UNLESS_CHAT: Unconvertible["unless"] = { parameter: "messages", write: () => undefined };

type Write = (value: unknown, draft: Draft, body: Fields, refuse: Refuse, honour: Honour) => void;

/**
 * Conversion of a field for an upstream of another protocol. A field is refused only if it changes the meaning of the
 * request and can't be honoured. `note` is for docs/protocols.md.
 */
export type FieldRule =
  | { is: "carried"; note?: string }
  | { is: "mapped"; note: string; write: Write }
  /** Applied to the answer by Signalbox. */
  | { is: "honoured"; note: string; write: Write }
  /** A hint, which is left out and named in a warning. Values in `defaults` have no effect. */
  | { is: "dropped"; note?: string; defaults: readonly unknown[] }
  | { is: "refused"; note?: string; defaults: readonly unknown[] }
  /** Set, applied or removed by Signalbox. */
  | { is: "ours"; note: string };

export type FieldRules = Readonly<Record<string, FieldRule>>;

export const carried: FieldRule = { is: "carried" };
export const ours = (note: string): FieldRule => ({ is: "ours", note });
export const refused = (note?: string, ...defaults: readonly unknown[]): FieldRule => ({
  is: "refused",
  ...(note !== undefined && { note }),
  defaults,
});
export const dropped = (note?: string, ...defaults: readonly unknown[]): FieldRule => ({
  is: "dropped",
  ...(note !== undefined && { note }),
  defaults,
});
export const mapped = (note: string, write: Write): FieldRule => ({ is: "mapped", note, write });
export const honoured = (note: string, write: Write): FieldRule => ({ is: "honoured", note, write });
/** A field that gets another name. */
export const renamed = (note: string, name: string) =>
  mapped(note, (value, draft) => {
    if (value !== undefined) draft[name] = value;
  });

/** A request in the fields of another protocol. */
export interface Conversion {
  draft: Draft;
  refused: readonly Unconvertible[];
  honour: Honour;
}

const isEmpty = (value: unknown): boolean => typeof value === "object" && value !== null && isEmptyObject(value);
const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0;

/** Converts a request by the rules of its fields; null values are ignored. */
export function convertFields(rules: FieldRules, body: Fields): Conversion {
  const draft: Draft = {};
  const refusals: Unconvertible[] = [];
  const honour: Honour = {};
  const refuse: Refuse = (path, message, unless, leftOut) => {
    refusals.push({ path, message, ...(unless && { unless }), ...(leftOut !== undefined && { leftOut }) });
  };
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule?.is === "carried") draft[name] = value;
    else if (rule?.is === "mapped" || rule?.is === "honoured") rule.write(value, draft, body, refuse, honour);
    else if (rule?.is !== "ours") {
      if (rule && (isEmpty(value) || rule.defaults.includes(value))) continue;
      const write = (target: Draft) => {
        target[name] = value;
      };
      const leftOut = rule?.is === "dropped" ? "field" : undefined;
      refuse([name], rule?.note ?? "isn't supported", { parameter: name, write }, leftOut);
    }
  }
  return { draft, refused: refusals, honour };
}

/** Refuses the settings of an object that another protocol has no place for. */
export function refuseOthers(object: Fields, known: ReadonlySet<string>, path: FieldPath, refuse: Refuse): void {
  for (const name of others(object, known)) refuse([...path, name], "isn't supported");
}

/** Leaves out the fields of a part of the history or of a tool's definition that another protocol has no place for. */
export function dropOthers(object: Fields, known: ReadonlySet<string>, path: FieldPath, refuse: Refuse): void {
  for (const name of others(object, known)) drop([...path, name], refuse);
}

const others = (object: Fields, known: ReadonlySet<string>): string[] =>
  Object.keys(object).filter((name) => !known.has(name) && (object[name] ?? null) !== null && !IGNORABLE.has(name));

/** Caching hints, and fields that SDKs add to parsed answers. Neither changes the next answer. */
const IGNORABLE: ReadonlySet<string> = new Set([
  "cache_control",
  "prompt_cache_breakpoint",
  "defer_loading",
  "parsed",
  "parsed_arguments",
]);
