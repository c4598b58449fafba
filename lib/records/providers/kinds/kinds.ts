import type { ProviderKind } from "../vocabulary";
import { anthropic } from "./anthropic";
import { azure } from "./azure";
import { bedrock } from "./bedrock";
import { gemini } from "./gemini";
import type { Kind } from "./kind";
import { openai } from "./openai";
import { vertex } from "./vertex";

/** The adapter of each kind. */
export const KINDS: Readonly<Record<ProviderKind, Kind>> = { openai, anthropic, azure, gemini, vertex, bedrock };
