import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import { choiceIndexOf } from "./choice-index";

/** A choice after filtering: its message, its other fields, and its content if that is a list of parts. */
export interface PassedChoice {
  message: JsonObject;
  about: JsonObject;
  list: readonly unknown[] | null;
}

/** Texts of a message, which the filtered texts replace. */
const TEXTS: ReadonlySet<string> = new Set(["content", "reasoning", "reasoning_content", "refusal"]);

/** Returns a chat completion as it was sent, with the values that passed the filters. */
export const passedCompletion = (
  sent: JsonObject,
  envelope: JsonObject,
  choices: ReadonlyMap<number, PassedChoice>,
): JsonObject => ({
  ...envelope,
  choices: asObjects(sent["choices"]).flatMap((given) => {
    const choice = choices.get(choiceIndexOf(given));
    return choice ? [passedChoice(given, choice)] : [];
  }),
});

function passedChoice(given: JsonObject, { message, about, list }: PassedChoice): JsonObject {
  const sent = asObject(given["message"]) ?? {};
  const texts = Object.entries(sent).flatMap(([name, value]): [string, unknown][] =>
    TEXTS.has(name) && (value === null || value === "") ? [[name, value]] : [],
  );
  const calls = asObjects(message["tool_calls"]);
  return {
    ...about,
    ...("logprobs" in given && { logprobs: null }),
    index: choiceIndexOf(given),
    message: {
      ...Object.fromEntries(texts),
      ...message,
      ...(list && { content: list }),
      ...(calls.length > 0 && { tool_calls: withIndexesOf(asObjects(sent["tool_calls"]), calls) }),
    },
  };
}

/** Gives calls of a whole answer the indexes that were sent, if any. */
const withIndexesOf = (sent: readonly JsonObject[], calls: readonly JsonObject[]): JsonObject[] =>
  calls.map(({ index: _, ...call }, place) => {
    const index = sent[place]?.["index"];
    return { ...call, ...(typeof index === "number" && { index }) };
  });
