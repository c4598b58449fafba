import type { Settlement } from "../budgets/budget-rule";
import type { StoredError } from "../generations/content-contract";
import type { Attempt, Decision, Timings } from "../generations/contract";
import type { GenerationStatus } from "../generations/vocabulary";
import type { CatalogueSnapshot } from "./catalogue-snapshots";
import type { ChatMessage } from "./chat-messages-contract";
import type { Endpoint, Protocol } from "./endpoint";
import type { Gathered } from "./gather";
import type { PolicyFacts } from "./policy-facts";

/** Everything that is known of a generation when it ends. Times are milliseconds. */
export interface Outcome {
  id: string;
  protocol: Protocol;
  requestedModel: string;
  streamed: boolean;
  sessionId: string | null;
  externalUser: string | null;
  /** The request's own. */
  metadata: Record<string, unknown> | null;
  /** As they went upstream. */
  messages: readonly ChatMessage[];
  status: GenerationStatus;
  /** The endpoint that answered, or the last one that didn't. */
  endpoint: Endpoint | null;
  attempts: readonly Attempt[];
  decisions: readonly Decision[];
  /** What was decided by; null where nothing was. */
  facts: PolicyFacts | null;
  /** What `facts.catalogue` names. */
  catalogue: readonly CatalogueSnapshot[];
  presetId: string | null;
  presetVersion: number | null;
  gathered: Gathered;
  costMicroUsd: bigint;
  /** The upstream reported no usage: tokens and cost are estimated. */
  usageEstimated: boolean;
  /** What it cost under each budget that it reserved from. */
  settlements: readonly Settlement[];
  latencyMs: number | null;
  generationTimeMs: number;
  timings: Timings;
  error: (StoredError & { message: string; status: number }) | null;
}
