import "server-only";
import { answerJson } from "../engine/protocols/broken-response";
import { chatCompletion, chatStreamEncoder } from "../engine/protocols/chat/stream-encoder";
import { encodeVector, readEmbeddings, withoutText, type Vector } from "../engine/protocols/embeddings/embeddings";
import { embedRequest, toEmbeddingList } from "../engine/protocols/generate-content/embeddings";
import { textOf } from "../engine/protocols/message-text";
import { hashedUser } from "../engine/protocols/upstream-fields";
import type { Context } from "../platform/context";
import type { EventStream } from "../platform/http/event-stream";
import type { Input, Result } from "../platform/http/operation";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import type { createEmbeddings, EmbeddingsBody } from "./embeddings-contract";
import type { Presentation, Send } from "./presentation";
import { complete } from "./service";
import { textsOf } from "./tokens/count-service";
import { readText } from "./upstream/event-client";

/**
 * Creates embeddings. Policy, budgets and the record treat the inputs as user messages of a request with an empty
 * response; only the call of the upstream differs.
 */
export async function create(
  context: Context,
  { body }: Input<typeof createEmbeddings>,
): Promise<Result<typeof createEmbeddings> | EventStream> {
  const inputs = await textsOf(body.input, "input");
  const request = { protocol: "chat_completions" as const, body: asPrompt(body, inputs) };
  let vectors: readonly Vector[] = [];
  const present = ({ body: prompt }: typeof request): Presentation<Result<typeof createEmbeddings>> => {
    // A preset's system prompt comes before the inputs.
    const messages = prompt.messages.slice(-inputs.length);
    const { user } = prompt;
    const send: Send = async (exchange, endpoint, signal, onSent) => {
      const { protocol } = endpoint.provider;
      const texts = messages.map(({ content }) => textOf(content));
      if (protocol === "messages" || protocol === "converse") return unavailable(protocol);
      const { path, body: sent } =
        protocol === "generate_content"
          ? embedRequest(endpoint.upstreamModel, texts, { dimensions: body.dimensions, inputType: body.input_type })
          : {
              path: "/embeddings",
              body: {
                model: endpoint.upstreamModel,
                input: texts,
                encoding_format: body.encoding_format,
                ...(body.dimensions !== undefined && { dimensions: body.dimensions }),
                ...(body.input_type !== undefined && { input_type: body.input_type }),
                ...(user !== undefined && { user: hashedUser(user) }),
              },
            };
      const response = await exchange(endpoint, { path, isStream: false, body: sent }, signal, onSent);
      if (!response.ok) return response;
      const answer = answerJson(await readText(response));
      const value = protocol === "generate_content" ? toEmbeddingList(answer) : answer;
      vectors = readEmbeddings(value, inputs.length);
      return Response.json(withoutText(value, protocol));
    };
    return {
      send,
      whole: (heading, accumulated, receipt) => {
        const { id, model, usage, ...rest } = chatCompletion(heading, accumulated, receipt);
        const metadata = rest["service_metadata"];
        return {
          object: "list" as const,
          id,
          model,
          data: vectors.map((vector, index) => ({
            object: "embedding" as const,
            index,
            embedding: encodeVector(vector, body.encoding_format),
          })),
          usage: { prompt_tokens: 0, total_tokens: 0, cost: receipt.costUsd ?? undefined, ...usage },
          ...(metadata && { service_metadata: metadata }),
        };
      },
      encoder: (heading) => chatStreamEncoder(heading, { includesUsage: false, echo: null }),
    };
  };
  return complete(context, request, present, { apiType: "embeddings" });
}

/** The response of an upstream whose API has no embeddings. */
const unavailable = (protocol: string): Response =>
  Response.json({ error: { message: `Upstreams of protocol ${protocol} don't support embeddings` } }, { status: 400 });

const asPrompt = (
  { input: _, encoding_format: _format, dimensions: _dimensions, input_type: _type, ...shared }: EmbeddingsBody,
  inputs: readonly string[],
): ChatCompletionsBody =>
  ChatCompletionsBody.parse({ ...shared, messages: inputs.map((content) => ({ role: "user", content })) });
