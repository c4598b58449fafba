import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyOf } from "node:stream/consumers";
import { StrictChatBody, StrictResponsesBody } from "./strict-upstream";
import { upstreamServer } from "./upstream-server";

type Json = Record<string, unknown>;

export const AZURE_KEY = "azure-key-0123456789";
export const AZURE_VERSION = "2024-10-21";
export const DEPLOYMENT = "gpt-4o-prod";

const SAFE = { filtered: false, severity: "safe" };
/** Result of Azure's content filter for a harmless text. */
const FILTERED = { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE };
const prompt_filter_results = [
  { prompt_index: 0, content_filter_results: { ...FILTERED, jailbreak: { filtered: false, detected: false } } },
];
const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const head = {
  id: "chatcmpl-azure",
  created: 1_700_000_000,
  model: "gpt-4o-2024-11-20",
  system_fingerprint: "fp_azure",
};

/** A whole chat completion as Azure OpenAI documents it. */
const WHOLE = {
  ...head,
  object: "chat.completion",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "Hello there", refusal: null },
      finish_reason: "stop",
      logprobs: null,
      content_filter_results: FILTERED,
    },
  ],
  prompt_filter_results,
  usage,
};

const piece = (delta: object, more: object = {}) => ({
  ...head,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null, logprobs: null, content_filter_results: {}, ...more }],
});

/** The same as a stream. The first chunk has the prompt's results, and neither id nor choices. */
const STREAM: readonly object[] = [
  { id: "", object: "", created: 0, model: "", choices: [], prompt_filter_results },
  piece({ role: "assistant", content: "", refusal: null }),
  piece({ content: "Hello" }, { content_filter_results: FILTERED }),
  piece({ content: " there" }, { content_filter_results: FILTERED }),
  piece({}, { finish_reason: "stop" }),
  { ...head, object: "chat.completion.chunk", choices: [], usage },
];

const RESPONSE = {
  id: "resp_azure",
  object: "response",
  created_at: 1_700_000_000,
  status: "completed",
  model: DEPLOYMENT,
  output: [
    {
      type: "message",
      id: "msg_azure",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello there", annotations: [] }],
    },
  ],
  content_filters: [{ blocked: false, source_type: "prompt", content_filter_results: FILTERED }],
  usage: {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  },
};

/** The content filter's rejection of a prompt. */
const POLICY_VIOLATION = {
  message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  type: null,
  param: "prompt",
  code: "content_filter",
  status: 400,
  innererror: {
    code: "ResponsibleAIPolicyViolation",
    content_filter_result: { ...FILTERED, violence: { filtered: true, severity: "high" } },
  },
};

interface Failure {
  status: number;
  error: Json;
  headers?: Record<string, string>;
}

function problemOf({ method, url = "", headers }: IncomingMessage, body: Json): Failure | null {
  const { pathname, search } = new URL(url, "http://azure");
  const isV1 = pathname.startsWith("/openai/v1/");
  const notFound = { code: "404", message: "Resource not found" };
  if (headers["api-key"] !== AZURE_KEY || headers.authorization !== undefined)
    return {
      status: 401,
      error: { code: "401", message: "Access denied due to invalid subscription key or wrong API endpoint." },
    };
  if (method !== "POST" || search !== (isV1 ? "" : `?api-version=${AZURE_VERSION}`))
    return { status: 404, error: notFound };
  const [, deployment] = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(pathname) ?? [];
  const named = deployment ?? body["model"];
  const isKnown =
    deployment !== undefined || /^\/openai\/(?:v1\/(?:chat\/completions|responses)|responses)$/.test(pathname);
  if (!isKnown) return { status: 404, error: notFound };
  if (named !== DEPLOYMENT)
    return {
      status: 404,
      error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
    };
  const strict = pathname.endsWith("/responses") ? StrictResponsesBody : StrictChatBody;
  const { error } = strict.safeParse(body);
  if (!error) return null;
  return { status: 400, error: { code: "BadRequest", message: error.message, type: "invalid_request_error" } };
}

/**
 * Starts a fake of Azure OpenAI that is as strict as the public service about address, `api-key` header and body. It
 * accepts the address of a deployment with its API version, or of the v1 API. Its content filter rejects prompts with
 * `violence`, and its rate limit rejects prompts with `quota`.
 */
export async function azureUpstream() {
  const taken: { url: string; body: Json }[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(request);
    const body = JSON.parse(text) as Json;
    const problem = problemOf(request, body) ?? refusalOf(text);
    if (problem) {
      response
        .writeHead(problem.status, { "content-type": "application/json", ...problem.headers })
        .end(JSON.stringify({ error: problem.error }));
      return;
    }
    const url = request.url ?? "";
    taken.push({ url, body });
    if (body["stream"] === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        [...STREAM.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""),
      );
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(url.includes("/responses") ? RESPONSE : WHOLE));
    }
  };
  const { url } = await upstreamServer((request, response) => void respond(request, response));
  return { url, taken };
}

const refusalOf = (text: string): Failure | null =>
  text.includes("violence")
    ? { status: 400, error: POLICY_VIOLATION }
    : text.includes("quota")
      ? {
          status: 429,
          error: { code: "429", message: "Requests have exceeded the token rate limit of your deployment." },
          headers: { "retry-after": "17" },
        }
      : null;
