import type { z } from "zod";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import type { Refuse } from "../../engine/protocols/field-rules";
import { instructionsOf, settingsFromMessage } from "../../engine/protocols/messages/to-settings";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import type { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { PresetConfig } from "./contract";

/** The settings that a preset version stores. */
export interface PresetSettings {
  config: Record<string, unknown>;
  systemPrompt: string;
}

type Body = Readonly<Record<string, unknown>>;

/** Selects the stored fields of a body; missing and null ones are omitted. */
function keep(body: Body): Record<string, unknown> {
  const given = Object.keys(PresetConfig.shape).filter((key) => body[key] !== undefined && body[key] !== null);
  return Object.fromEntries(given.map((key) => [key, body[key]]));
}

/** Extracts settings from a Responses body; `instructions` become the system prompt. */
export const settingsFromResponses = (body: z.output<typeof ResponsesBody>): PresetSettings => ({
  config: keep(body),
  systemPrompt: body.instructions ?? "",
});

/**
 * Extracts settings from a Chat Completions body: fields are renamed to Responses, and system messages become the
 * system prompt.
 */
export function settingsFromChatCompletions(body: z.output<typeof ChatCompletionsBody>): PresetSettings {
  const { messages, max_tokens, max_completion_tokens, response_format, reasoning_effort, ...shared } = known(
    ChatCompletionsBody,
    body,
  );
  const config = keep({
    ...shared,
    max_output_tokens: max_completion_tokens ?? max_tokens,
    reasoning: shared.reasoning ?? (reasoning_effort ? { effort: reasoning_effort } : undefined),
    text: response_format ? { format: flatten(response_format, "json_schema") } : undefined,
    tool_choice: flat(shared.tool_choice),
    tools: shared.tools?.map(flat),
  });
  const system = messages.filter(({ role }) => role === "system" || role === "developer");
  return { config, systemPrompt: system.map(({ content }) => textOf(content)).join("\n\n") };
}

/**
 * Extracts settings from a Messages body: fields are renamed to Responses, and `system` becomes the system prompt.
 * Rejects field parts that can't be stored.
 */
export function settingsFromMessages(
  body: z.output<typeof MessagesBody>,
  refuse: Refuse = () => undefined,
): PresetSettings {
  return {
    config: keep(settingsFromMessage(known(MessagesBody, body), refuse)),
    systemPrompt: instructionsOf(body.system, refuse),
  };
}

/** Selects the fields of a protocol, because an unknown field may have the name of a setting. */
const known = <Fields extends Body>({ shape }: { shape: object }, body: Fields): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(shape, name))) as Fields;

/**
 * Converts `{type: "function", function: {name}}` to `{type: "function", name}`, because Responses has no nested
 * object.
 */
const flat = (value: unknown): unknown => flatten(flatten(value, "function"), "custom");

function flatten(value: unknown, inner: "function" | "custom" | "json_schema"): unknown {
  if (typeof value !== "object" || value === null || !(inner in value)) return value;
  const { [inner]: fields, ...rest } = value as Record<string, unknown>;
  return { ...rest, ...(fields as object) };
}

const textOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (typeof part === "object" && part !== null && "text" in part ? String(part.text) : ""))
    .join("");
};
