import type { Endpoint } from "../../engine/endpoint";
import type { ChatUsage } from "../../engine/protocols/contracts/chat-result-contract";
import type { UpstreamRequest } from "../../engine/protocols/upstream-request";
import type { ProviderKind } from "../../records/providers/vocabulary";
import type { Connection } from "../endpoints-store";
import type { SpanAttributes } from "../../platform/telemetry/trace-context";

/** Address of an endpoint. */
export type Site = Pick<Connection, "kind" | "baseUrl">;

/** Provider names of the conventions. Providers of OpenAI's API have their slug, or its name here. */
const NAMES_OF_KINDS: Readonly<Record<ProviderKind, string | null>> = {
  openai: null,
  anthropic: "anthropic",
  azure: "azure.ai.openai",
  gemini: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  bedrock: "aws.bedrock",
};
const NAMES_OF_SLUGS: Readonly<Record<string, string>> = {
  mistral: "mistral_ai",
  moonshotai: "moonshot_ai",
  xai: "x_ai",
};

/** Returns the operation of a call by the GenAI semantic conventions. */
export const operationOf = (path: UpstreamRequest["path"]): string => (path === "/embeddings" ? "embeddings" : "chat");

/**
 * Attributes of a call to a model (https://opentelemetry.io/docs/specs/semconv/gen-ai/), without content of the request
 * or the response.
 */
export function modelAttributes(
  { model, provider, upstreamModel }: Endpoint,
  path: UpstreamRequest["path"],
  { kind, baseUrl }: Site,
): SpanAttributes {
  const url = baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  return {
    "gen_ai.operation.name": operationOf(path),
    "gen_ai.provider.name": NAMES_OF_KINDS[kind] ?? NAMES_OF_SLUGS[provider.slug] ?? provider.slug,
    "gen_ai.request.model": upstreamModel,
    "signalbox.model": model.slug,
    "signalbox.provider": provider.slug,
    ...(url && {
      "server.address": url.hostname,
      "server.port": Number(url.port) || (url.protocol === "http:" ? 80 : 443),
    }),
  };
}

export const usageAttributes = (usage: ChatUsage | null): SpanAttributes =>
  usage === null
    ? {}
    : {
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.prompt_tokens_details?.cached_tokens ?? undefined,
        "gen_ai.usage.reasoning.output_tokens": usage.completion_tokens_details?.reasoning_tokens ?? undefined,
      };
