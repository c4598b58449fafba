import { asObject, type JsonObject } from "../../platform/json-values";

/** Fields that client libraries add to answers and send back with the history. */
const PARSED: ReadonlySet<string> = new Set(["parsed", "parsed_arguments"]);
/** The index of a call in a streamed answer. */
const PLACE = "index";
/** A switch of Mistral's API, false by default. */
const PREFIX = "prefix";
/** Fields of a message that the OpenAI Agents SDK copies into the parts of its content. */
const OF_MESSAGE: ReadonlySet<string> = new Set(["role", "refusal"]);

/** Returns the messages or items of a history without the fields that client libraries add to answers. */
export const withoutClientFields = <Entry extends object>(history: readonly Entry[]): Entry[] =>
  history.map((entry) => withoutFieldsIn(entry as JsonObject) as Entry);

function withoutFieldsIn(entry: JsonObject): JsonObject {
  if (entry["role"] !== "assistant" && entry["type"] !== "function_call") return entry;
  const { content, tool_calls: calls } = entry;
  const parts = withoutIn(content, isCopied);
  const isOfResponse = (name: string) => isParsed(name) || name === PLACE;
  const kept = withoutIn(calls, isOfResponse, (call) => {
    const called = asObject(call["function"]);
    return called && Object.keys(called).some(isParsed) ? { ...call, function: without(called, isParsed) } : call;
  });
  const isLeftOut = (name: string) => isParsed(name) || (name === PREFIX && entry[PREFIX] === false);
  if (parts === content && kept === calls && !Object.keys(entry).some(isLeftOut)) return entry;
  return {
    ...without(entry, isLeftOut),
    ...(parts !== content && { content: parts }),
    ...(kept !== calls && { tool_calls: kept }),
  };
}

const isParsed = (name: string): boolean => PARSED.has(name);
const isCopied = (name: string, { type }: JsonObject): boolean =>
  isParsed(name) || (OF_MESSAGE.has(name) && type !== "refusal");

type IsLeftOut = (name: string, of: JsonObject) => boolean;

const without = (given: JsonObject, isLeftOut: IsLeftOut): JsonObject =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !isLeftOut(name, given)));

/** Returns the same list when nothing is left out of its objects. */
function withoutIn(list: unknown, isLeftOut: IsLeftOut, inner = (one: JsonObject) => one): unknown {
  if (!Array.isArray(list)) return list;
  const kept = list.map((given: unknown) => {
    const one = asObject(given);
    if (!one) return given;
    const changed = inner(one);
    return Object.keys(changed).some((name) => isLeftOut(name, changed)) ? without(changed, isLeftOut) : changed;
  });
  return kept.every((one, index) => one === list[index]) ? list : kept;
}
