import type { Honour } from "./honour";

/** Fields of a request or of a part of it. */
export type Fields = Readonly<Record<string, unknown>>;
export type Draft = Record<string, unknown>;
export type FieldPath = readonly (string | number)[];

/** A part of a request that upstreams of another protocol don't take. */
export interface Unconvertible {
  path: FieldPath;
  message: string;
  /** Sends it nevertheless, to an endpoint whose supported parameters name `parameter`. */
  unless?: { parameter: string; write: (draft: Draft) => void };
  /** Set for what endpoints can do without: a tool, or the field at `path`. They are sent the rest. */
  leftOut?: LeftOut;
}
export type LeftOut = { tool: string } | "field";

export type Refuse = (
  path: FieldPath,
  message: string,
  unless?: Unconvertible["unless"],
  leftOut?: Unconvertible["leftOut"],
) => void;

/** Names the tool that a request can do without in each of its refusals: an agent offers it with its own tools. */
export const leavingOut =
  (tool: string, refuse: Refuse): Refuse =>
  (path, message, unless) =>
    refuse(path, message, unless, { tool });

/** Leaves out a field that doesn't change what is requested; the response's warnings name it. */
export const drop = (path: FieldPath, refuse: Refuse, unless?: Unconvertible["unless"]): void =>
  refuse(path, "isn't sent", unless, "field");

/** Lets upstreams of further protocols have what only a Chat Completions upstream doesn't take. */
export const UNLESS_CHAT: Unconvertible["unless"] = { parameter: "messages", write: () => undefined };

type Write = (value: unknown, draft: Draft, body: Fields, refuse: Refuse, honour: Honour) => void;

/**
 * Conversion of a field for an upstream of another protocol. Only a field that changes what is requested, and that can't be
 * honoured, is refused. `note` is for docs/protocols.md.
 */
export type FieldRule =
  | { is: "carried"; note?: string }
  | { is: "mapped"; note: string; write: Write }
  /** Applied to the answer by Signalbox. */
  | { is: "honoured"; note: string; write: Write }
  /** A hint: left out, and named in a warning. Values in `defaults` ask for nothing. */
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

/** Converts a request by the rules of its fields; null asks for nothing. */
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

/** Hints about caching, and what SDKs add to an answer when they parse it: neither changes the next answer. */
const IGNORABLE: ReadonlySet<string> = new Set([
  "cache_control",
  "prompt_cache_breakpoint",
  "defer_loading",
  "parsed",
  "parsed_arguments",
]);
