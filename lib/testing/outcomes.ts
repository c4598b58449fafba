import { newGenerationId } from "../platform/ids";
import { newAccumulated } from "../engine/protocols/accumulate";
import type { Outcome } from "../gateway/record/outcome";
import { endpointOf } from "./endpoints";
import { NOW } from "./test-context";

/** Creates the outcome of a successful generation with the given fields. */
export const outcomeOf = (given: Partial<Outcome> = {}): Outcome => ({
  id: newGenerationId(NOW),
  apiType: "responses",
  requestedModel: "acme/one",
  streamed: false,
  sessionId: null,
  traceId: null,
  externalUser: null,
  metadata: null,
  prompt: { messages: [{ role: "user", content: "hi" }], blocked: null },
  status: "succeeded",
  endpoint: endpointOf(),
  attempts: [{ provider: "acme", provider_name: "Acme", model: "acme/one", status: 200, latency_ms: 1, error: null }],
  decisions: [],
  facts: null,
  catalogue: [],
  presetId: null,
  presetVersion: null,
  accumulated: {
    ...newAccumulated(),
    content: "hello",
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  },
  items: [],
  costMicroUsd: 8n,
  isCostKnown: true,
  usageEstimated: false,
  settlements: [],
  latencyMs: 10,
  generationTimeMs: 20,
  timings: { queue: 1, policy: 2, filters: 3, upstream_first_byte: 10, total: 21 },
  error: null,
  ...given,
});
