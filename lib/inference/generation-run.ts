import "server-only";
import type { Context } from "../context";
import { newGenerationId } from "../ids";
import { fromMicroUsd } from "../money";
import { toChatDraft, type ChatDraft } from "./chat-request";
import type { ChatCompletionsBody } from "./contract";
import { nothingGathered } from "./gather";
import type { Report } from "./observe";
import { costMicroUsd } from "./price";
import { record, type Outcome } from "./record";
import { describeFailures, type FirstAnswer, type NoAnswer } from "./upstream";

/** One generation from its beginning to its record. */
export interface GenerationRun {
  id: string;
  draft: ChatDraft;
  /** Records an answer's end, with its usage priced. */
  reportOf: (answer: FirstAnswer) => Report;
  /** Records that no endpoint answered; without a reason, that the client left before. */
  recordNoAnswer: (reason: NoAnswer | null) => Promise<void>;
}

export function beginGeneration(context: Context, body: ChatCompletionsBody, protocol: Outcome["protocol"], requestedModel: string): GenerationRun {
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  const id = newGenerationId(context.now);
  context.headers.set("x-generation-id", id);
  const draft = toChatDraft(body);
  const facts = {
    id,
    protocol,
    requestedModel,
    streamed: body.stream,
    sessionId: body.session_id ?? context.client.sessionId,
    externalUser: body.user ?? null,
    messages: draft.messages,
  };
  return {
    id,
    draft,
    reportOf: ({ endpoint, attempts, failures }) => {
      const latencyMs = elapsed();
      return async (end, gathered) => {
        const cost = costMicroUsd(endpoint.prices, gathered.usage);
        const error = end.status === "failed" ? describeFailures([...failures, { endpoint, failure: end.failure }]) : null;
        await record(context, {
          ...facts,
          status: end.status,
          endpoint,
          attempts,
          gathered,
          costMicroUsd: cost,
          latencyMs,
          generationTimeMs: elapsed(),
          error,
        });
        return { costUsd: fromMicroUsd(cost), completedAt: Math.floor((context.now.getTime() + elapsed()) / 1000) };
      };
    },
    recordNoAnswer: (reason) =>
      record(context, {
        ...facts,
        status: reason ? "failed" : "cancelled",
        endpoint: reason?.failures.at(-1)?.endpoint ?? null,
        attempts: reason?.attempts ?? [],
        gathered: nothingGathered(),
        costMicroUsd: 0n,
        latencyMs: null,
        generationTimeMs: elapsed(),
        error: reason && describeFailures(reason.failures),
      }),
  };
}
