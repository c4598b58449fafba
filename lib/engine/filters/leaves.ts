import type { Protocol } from "../endpoint";

/** Encoding of a leaf's text: plain, JSON that must stay valid, or an encoded payload that may contain text. */
export type LeafForm = "text" | "json" | "payload";

export type LeafPath = readonly (string | number)[];

/** A text in a request's input. */
export interface Leaf {
  /** Path in the caller's body. */
  path: LeafPath;
  text: string;
  /** True when it belongs to a message of role `user`. */
  isUser: boolean;
  form: LeafForm;
}

type Fields = Readonly<Record<string, unknown>>;

/** Type names, ids and statuses; not content unless they contain several words. */
const STRUCTURE = /^(?:type|role|id|\w+_id|status|phase|detail|format|server_label|encrypted_content|signature)$/;
const SINGLE_WORD = /^[\w.:/+=|-]*$/;
/** Free-form records: their keys are the caller's own, so no key is structural. */
const DATA = new Set(["action", "operation"]);
const PAYLOADS = new Set(["file_data", "b64_json"]);
const DATA_URL = /^data:[^,\s]{0,200},/i;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Every string leaf of what a request gives the model to read (docs/semantics.md#filters), in the order of the body; keys are names, not leaves.
 * A value without a text is null, so that a walk over very many of them can pause.
 */
export function* leavesOf(protocol: Protocol, body: Fields): Generator<Leaf | null> {
  if (protocol === "chat_completions") {
    yield* messages(body["messages"], ["messages"]);
    yield* below(body["prediction"], ["prediction"], false);
    return;
  }
  yield* below(body["instructions"], ["instructions"], false);
  const { input, prompt } = body;
  if (typeof input === "string") yield leaf(input, ["input"], true, "text");
  else yield* messages(input, ["input"]);
  const variables = isFields(prompt) && isFields(prompt["variables"]) ? prompt["variables"] : {};
  for (const name of Object.keys(variables)) yield* below(variables[name], ["prompt", "variables", name], false);
}

function* messages(items: unknown, path: LeafPath): Generator<Leaf | null> {
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.entries())
    yield* below(item, [...path, index], isFields(item) && item["role"] === "user");
}

/** Yields the leaves of a value with keys defined by the protocol. */
function* below(value: unknown, path: LeafPath, isUser: boolean): Generator<Leaf | null> {
  if (typeof value === "string") yield leaf(value, path, isUser, DATA_URL.test(value) ? "payload" : "text");
  else if (Array.isArray(value))
    for (const [index, part] of value.entries()) yield* below(part, [...path, index], isUser);
  else if (isFields(value)) for (const key of Object.keys(value)) yield* field(value, key, [...path, key], isUser);
  else yield null;
}

function* field(owner: Fields, key: string, path: LeafPath, isUser: boolean): Generator<Leaf | null> {
  const value = owner[key];
  if (typeof value !== "string") yield* (DATA.has(key) ? data : below)(value, path, isUser);
  else if (key === "arguments") yield leaf(value, path, isUser, "json");
  else if (isPayload(owner, key, path)) yield leaf(value, path, isUser, "payload");
  else if (!isStructure(owner, key, value)) yield* below(value, path, isUser);
}

/** Yields the leaves of a record with arbitrary keys. */
function* data(value: unknown, path: LeafPath, isUser: boolean): Generator<Leaf | null> {
  if (isFields(value)) for (const key of Object.keys(value)) yield* data(value[key], [...path, key], isUser);
  else if (Array.isArray(value))
    for (const [index, part] of value.entries()) yield* data(part, [...path, index], isUser);
  else yield* below(value, path, isUser);
}

const isPayload = (owner: Fields, key: string, path: LeafPath) =>
  PAYLOADS.has(key) ||
  (key === "data" && path.at(-2) === "input_audio") ||
  (key === "result" && owner["type"] === "image_generation_call");

/** A tool's name accompanies its call. */
const isStructure = (owner: Fields, key: string, value: string) =>
  SINGLE_WORD.test(value) && (STRUCTURE.test(key) || (key === "name" && ("arguments" in owner || "call_id" in owner)));

const leaf = (text: string, path: LeafPath, isUser: boolean, form: LeafForm): Leaf => ({ path, text, isUser, form });
