import type { Settlement } from "../../engine/budgets/budget-rule";
import type { StoredError } from "../../engine/protocols/contracts/stored-error-contract";
import type { Attempt, Timings } from "../../records/generations/contract";
import type { Decision } from "../../engine/decision/contract";
import type { ApiType } from "../../engine/protocols/vocabulary";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import type { CatalogueSnapshot } from "./catalogue-snapshots-store";
import type { Endpoint } from "../../engine/endpoint";
import type { AccumulatedResponse } from "../../engine/protocols/accumulate";
import type { StoredItem } from "../../engine/protocols/responses/stored-items";
import type { ApiError } from "../../platform/api-error";
import type { PolicyFacts } from "./policy-facts";
import type { StoredPrompt } from "./stored-prompt";

/** Everything known about a generation when it ends. Times are in milliseconds. */
export interface Outcome {
  id: string;
  apiType: ApiType;
  requestedModel: string;
  streamed: boolean;
  sessionId: string | null;
  traceId: string | null;
  externalUser: string | null;
  /** The request's `metadata` field. */
  metadata: Record<string, unknown> | null;
  /** Null for a prompt that must not be stored. */
  prompt: StoredPrompt | null;
  status: GenerationStatus;
  /** The endpoint that responded, or the last one that failed. */
  endpoint: Endpoint | null;
  attempts: readonly Attempt[];
  decisions: readonly Decision[];
  /** Facts behind the policy decision; null when none was made. */
  facts: PolicyFacts | null;
  /** The snapshots that `facts.catalogue` references. */
  catalogue: readonly CatalogueSnapshot[];
  presetId: string | null;
  presetVersion: number | null;
  accumulated: AccumulatedResponse;
  /** Items of the response that later requests can refer to. */
  items: readonly StoredItem[];
  costMicroUsd: bigint;
  /** False when a price was unknown. That part of the cost counts as 0. */
  isCostKnown: boolean;
  /** True when the upstream reported no usage; tokens and cost are estimates. */
  usageEstimated: boolean;
  /** Amounts to settle, one for each reservation. */
  settlements: readonly Settlement[];
  latencyMs: number | null;
  generationTimeMs: number;
  timings: Timings;
  error: (StoredError & { message: string; status: number }) | null;
}

/** Returns an error of Signalbox in its stored form. */
export const storedError = ({ status, message }: ApiError): NonNullable<Outcome["error"]> => ({
  status,
  message,
  provider_name: null,
  raw: null,
  previous_errors: [],
});
