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
  /** The tool that other endpoints aren't sent; they are usable without it. */
  leftOut?: string;
}

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
    refuse(path, message, unless, tool);

/** Lets upstreams of further protocols have what only a Chat Completions upstream doesn't take. */
export const UNLESS_CHAT: Unconvertible["unless"] = { parameter: "messages", write: () => undefined };

/** Conversion of a field for an upstream of another protocol. `note` is for docs/protocols.md. */
export type FieldRule =
  | { is: "carried"; note?: string }
  | { is: "mapped"; note: string; write: (value: unknown, draft: Draft, body: Fields, refuse: Refuse) => void }
  /** Values in `defaults` ask for nothing and are left out. */
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
export const mapped = (note: string, write: (FieldRule & { is: "mapped" })["write"]): FieldRule => ({
  is: "mapped",
  note,
  write,
});
/** A field that gets another name. */
export const renamed = (note: string, name: string) =>
  mapped(note, (value, draft) => {
    if (value !== undefined) draft[name] = value;
  });

/** A request in the fields of another protocol. */
export interface Conversion {
  draft: Draft;
  refused: readonly Unconvertible[];
}

const isEmpty = (value: unknown): boolean => typeof value === "object" && value !== null && isEmptyObject(value);
const isEmptyObject = (value: object): boolean => Object.keys(value).length === 0;

/** Converts a request by the rules of its fields; null asks for nothing. */
export function convertFields(rules: FieldRules, body: Fields): Conversion {
  const draft: Draft = {};
  const refusals: Unconvertible[] = [];
  const refuse: Refuse = (path, message, unless, leftOut) => {
    refusals.push({ path, message, ...(unless && { unless }), ...(leftOut !== undefined && { leftOut }) });
  };
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule?.is === "carried") draft[name] = value;
    else if (rule?.is === "mapped") rule.write(value, draft, body, refuse);
    else if (rule?.is !== "ours") {
      if (rule && (isEmpty(value) || rule.defaults.includes(value))) continue;
      const write = (target: Draft) => {
        target[name] = value;
      };
      refuse([name], rule?.note ?? "isn't supported", { parameter: name, write });
    }
  }
  return { draft, refused: refusals };
}

/** Refuses the fields of an object that another protocol has no place for. */
export function refuseOthers(object: Fields, known: ReadonlySet<string>, path: FieldPath, refuse: Refuse): void {
  for (const name of Object.keys(object))
    if (!known.has(name) && object[name] !== null && object[name] !== undefined && !IGNORABLE.has(name))
      refuse([...path, name], "isn't supported");
}

/** Hints about caching, and what SDKs add to an answer when they parse it: neither changes the next answer. */
const IGNORABLE: ReadonlySet<string> = new Set([
  "cache_control",
  "prompt_cache_breakpoint",
  "defer_loading",
  "parsed",
  "parsed_arguments",
]);
