import "server-only";
import { textCompletion, textStreamEncoder } from "../engine/protocols/completions/text-completion";
import type { Context } from "../platform/context";
import type { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import type { CompletionsBody, createCompletion, TextCompletion } from "./completions-contract";
import { ChatCompletionsBody } from "./contract";
import { complete, type Presentation } from "./service";
import { decodeTokens } from "./tokens/count-service";

/** The prompt as a text: token numbers can't be scanned. */
async function textOf(prompt: CompletionsBody["prompt"]): Promise<string> {
  if (typeof prompt === "string") return prompt;
  const [first] = prompt;
  if (typeof first === "string") return first;
  const numbers = typeof first === "object" ? first : prompt.filter((token) => typeof token === "number");
  return (await decodeTokens([numbers], "prompt")).join("");
}

/** Creates a text completion: the prompt is a user message, and the answer's text is the completion. */
export async function create(
  context: Context,
  { body }: Input<typeof createCompletion>,
): Promise<Result<typeof createCompletion> | EventStream> {
  const { prompt, best_of: _best, echo: _echo, suffix: _suffix, logprobs: _logprobs, ...shared } = body;
  const content = await textOf(prompt);
  const chat = ChatCompletionsBody.parse({ ...shared, messages: [{ role: "user", content }] });
  const presentation: Presentation<TextCompletion> = {
    whole: textCompletion,
    dialect: (heading) => textStreamEncoder(heading, { includesUsage: body.stream_options?.include_usage === true }),
  };
  const given = { protocol: "chat_completions" as const, body: chat };
  return complete(context, given, () => presentation, { apiType: "completions" });
}
