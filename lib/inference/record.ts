import "server-only";
import type { Context } from "../context";
import { json } from "../database/json";
import { inTransaction } from "../db";
import type { StoredError } from "../generations/content-contract";
import type { Attempt } from "../generations/contract";
import type { Prisma } from "../../prisma/generated/client";
import type { ChatMessage } from "./chat-messages-contract";
import { textOf } from "./chat-request";
import type { Gathered } from "./gather";
import type { Endpoint } from "./plan";

/** Everything that is known of a generation when it ends. Times are milliseconds since its beginning. */
export interface Outcome {
  id: string;
  protocol: "responses" | "chat_completions";
  requestedModel: string;
  streamed: boolean;
  sessionId: string | null;
  externalUser: string | null;
  messages: readonly ChatMessage[];
  status: "succeeded" | "failed" | "cancelled";
  /** The endpoint that answered, or the last one that didn't. */
  endpoint: Endpoint | null;
  attempts: readonly Attempt[];
  gathered: Gathered;
  costMicroUsd: bigint;
  latencyMs: number | null;
  generationTimeMs: number;
  error: (StoredError & { message: string; status: number }) | null;
}

const SEARCHABLE_CHARACTERS = 200_000;

/** Writes a generation, and its content when the workspace keeps it, in one transaction. */
export async function record(context: Context, outcome: Outcome): Promise<void> {
  const { caller, client, now } = context;
  const { id, endpoint, status, attempts, latencyMs, generationTimeMs } = outcome;
  const { usage, ...answer } = storable(outcome.gathered);
  const error = storable(outcome.error);
  await inTransaction(context.db, async (db) => {
    const { contentLogging } = await db.workspace.findUniqueOrThrow({ where: { id: caller.workspaceId }, select: { contentLogging: true } });
    await db.generation.create({
      data: {
        id,
        createdAt: now,
        organizationId: caller.organizationId,
        workspaceId: caller.workspaceId,
        keyId: caller.kind === "key" ? caller.keyId : null,
        userId: caller.userId,
        status,
        apiType: outcome.protocol,
        requestedModel: outcome.requestedModel,
        model: endpoint?.model.slug ?? outcome.requestedModel,
        providerSlug: endpoint?.provider.slug ?? null,
        isByok: endpoint?.provider.ownership === "byok",
        streamed: outcome.streamed,
        finishReason: answer.finishReason,
        nativeFinishReason: answer.nativeFinishReason,
        tokensPrompt: usage?.prompt_tokens,
        tokensCompletion: usage?.completion_tokens,
        tokensReasoning: usage?.completion_tokens_details?.reasoning_tokens,
        tokensCached: usage?.prompt_tokens_details?.cached_tokens,
        costMicroUsd: outcome.costMicroUsd,
        latencyMs,
        generationTimeMs,
        attempts: storable(attempts),
        errorStatus: error?.status,
        errorMessage: error?.message,
        upstreamId: answer.upstreamId,
        requestId: context.requestId,
        sessionId: outcome.sessionId,
        externalUser: outcome.externalUser,
        httpReferer: client.httpReferer,
        appTitle: client.appTitle,
        appCategories: client.appCategories,
        userAgent: client.userAgent,
        contentStored: contentLogging,
      },
    });
    if (!contentLogging) return;
    await db.generationContent.create({
      data: {
        createdAt: now,
        generationId: id,
        input: { messages: outcome.messages as unknown as Prisma.InputJsonArray },
        completion: status === "failed" && answer.content === "" ? null : answer.content,
        reasoning: answer.reasoning === "" ? null : answer.reasoning,
        toolCalls: json(answer.toolCalls.length > 0 ? answer.toolCalls : null),
        error: json(error),
        searchText: searchText(outcome.messages, answer.content),
      },
    });
  });
}

const searchText = (messages: readonly ChatMessage[], completion: string): string =>
  [...messages.map(({ content }) => textOf(content)), completion].join("\n").slice(0, SEARCHABLE_CHARACTERS).toWellFormed();

/** An upstream's words as PostgreSQL can keep them: without NUL and unpaired surrogates. */
function storable<T>(value: T): T {
  const clean = (_key: string, part: unknown) => (typeof part === "string" ? part.replaceAll("\0", "").toWellFormed() : part);
  return JSON.parse(JSON.stringify(value), clean) as T;
}
