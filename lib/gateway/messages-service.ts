import "server-only";
import type { InferenceRequest } from "../engine/protocols/inference-request";
import { completeMessage, messagesStreamEncoder } from "../engine/protocols/messages/stream-encoder";
import { requestSize } from "../engine/routing/request-size";
import { ApiError, invalid } from "../platform/api-error";
import type { Context } from "../platform/context";
import type { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import { applyPreset } from "../records/presets/apply-service";
import { presetReference } from "../records/presets/reference";
import { billedRatios } from "../records/providers/billed-ratios";
import { namedModels } from "./decide-service";
import { findEndpoints } from "./endpoints-store";
import type * as contract from "./messages-contract";
import { complete } from "./service";
import { countPrompt } from "./tokens/usage-estimate-service";

type MessagesRequest = InferenceRequest & { protocol: "messages" };

export async function create(
  context: Context,
  { body }: Input<typeof contract.createMessage>,
): Promise<Result<typeof contract.createMessage> | EventStream> {
  if ((body.max_tokens ?? null) === null && !presetReference(body).reference)
    throw invalid([{ path: ["max_tokens"], message: "is required", code: "invalid_type" }]);
  if (typeof body.thread?.previous_message_id === "string") throw threadNotFound();
  const request: MessagesRequest = { protocol: "messages", body };
  return complete(context, request, ({ body: sent }) => ({
    whole: (heading, accumulated, receipt) => completeMessage(heading, sent, accumulated, receipt),
    encoder: (heading, echo) => messagesStreamEncoder(heading, sent, echo),
  }));
}

/** No thread is stored. Anthropic's SDK recognizes the code and replays the history. */
const threadNotFound = () =>
  new ApiError(404, "thread.previous_message_id: no thread is stored. Send the full history, without `thread`", {
    details: { error_code: "thread_not_found" },
  });

/** Estimates the tokens of a prompt with the tokenizer of the model's first endpoint. Nothing is sent upstream. */
export async function countTokens(
  context: Context,
  { body: given }: Input<typeof contract.countMessageTokens>,
): Promise<Result<typeof contract.countMessageTokens>> {
  const { body } = await applyPreset(context, "messages", { max_tokens: 1, stream: false, ...given });
  const [model] = namedModels(body);
  const { endpoints } = await findEndpoints(context, [model]);
  const [endpoint] = endpoints;
  if (!endpoint) throw new ApiError(404, `No endpoints found for ${model}`);
  const request: MessagesRequest = { protocol: "messages", body };
  return { input_tokens: await countPrompt(request, requestSize(request, billedRatios.ratios), endpoint) };
}
