import type { ProviderKind } from "../vocabulary";
import { anthropic } from "./anthropic";
import { azure } from "./azure";
import { gemini } from "./gemini";
import type { Kind } from "./kind";
import { openai } from "./openai";
import { vertex } from "./vertex";

/** Kinds that requests can be sent to. */
export const KINDS: Readonly<Partial<Record<ProviderKind, Kind>>> = { openai, anthropic, azure, gemini, vertex };
