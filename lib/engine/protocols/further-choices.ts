import { choicesOf, type AccumulatedResponse, type AccumulatedChoice } from "./accumulate";
import { asObject, type JsonObject } from "../../platform/json-values";

/** A stored choice; the first one has only the fields without a column. */
interface StoredChoice {
  index: number;
  finish_reason?: string | null;
  message: JsonObject;
}

/** Returns the choices and fields beyond the first choice's completion, reasoning and tool calls; null without any. */
export function furtherChoices(answer: AccumulatedResponse): StoredChoice[] | null {
  if (answer.others.size === 0 && isPlain(answer)) return null;
  return choicesOf(answer).flatMap(([index, choice]): StoredChoice[] => {
    const more = {
      ...(choice.refusal !== "" && { refusal: choice.refusal }),
      ...(hasAnnotations(choice) && { annotations: choice.lists.annotations }),
      ...withoutMedia(choice.message),
    };
    if (index === 0) return Object.keys(more).length > 0 ? [{ index, message: more }] : [];
    const { content, reasoning, toolCalls, finishReason } = choice;
    const message = {
      content,
      ...(reasoning !== "" && { reasoning }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...more,
    };
    return [{ index, finish_reason: finishReason, message }];
  });
}

const hasAnnotations = ({ lists }: AccumulatedChoice): boolean => (lists.annotations?.length ?? 0) > 0;

const isPlain = (choice: AccumulatedChoice): boolean =>
  choice.refusal === "" && !hasAnnotations(choice) && Object.keys(choice.message).length === 0;

/** Replaces a spoken answer by its transcript. */
function withoutMedia({ audio, ...message }: JsonObject): JsonObject {
  const spoken = asObject(audio);
  if (!spoken) return message;
  const { data: _, ...rest } = spoken;
  return { ...message, audio: rest };
}
