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
