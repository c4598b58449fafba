import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";

/** Kinds of providers, which determine addresses and authentication. */
export const PROVIDER_KINDS = ["openai", "anthropic", "azure", "gemini", "vertex", "bedrock"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** Protocols of each kind, the default first. */
export const PROTOCOLS_OF: Readonly<Record<ProviderKind, readonly [UpstreamProtocol, ...UpstreamProtocol[]]>> = {
  openai: ["chat_completions", "responses"],
  anthropic: ["messages"],
  azure: ["chat_completions", "responses"],
  gemini: ["generate_content"],
  vertex: ["generate_content", "messages"],
  bedrock: ["converse"],
};

const HOSTS: readonly (readonly [host: RegExp, kind: ProviderKind])[] = [
  [/^api\.anthropic\.com$/, "anthropic"],
  [/\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/, "azure"],
  [/^generativelanguage\.googleapis\.com$/, "gemini"],
  [/(?:^|-)aiplatform\.googleapis\.com$/, "vertex"],
  [/^bedrock-runtime[.-].*\.amazonaws\.com(?:\.cn)?$/, "bedrock"],
];

/** The kind that a base URL tells: its host is that of a kind, or of one of the known OpenAI-compatible APIs; else null. */
export function kindOfAddress(address: string, openaiUrls: readonly string[]): ProviderKind | null {
  const host = URL.parse(address)?.hostname ?? null;
  if (host === null) return null;
  const own = HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  return own ?? (openaiUrls.some((url) => URL.parse(url)?.hostname === host) ? "openai" : null);
}
