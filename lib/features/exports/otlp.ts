import "server-only";
import { createHash } from "node:crypto";
import type { GenerationContent } from "../content-access/contract";
import type { Generation } from "../../records/generations/contract";

/** A generation as it is exported; the content is missing unless the destination has it. */
export interface ExportedGeneration extends Generation {
  content?: GenerationContent;
}

type Value = string | number | boolean | readonly string[] | null | undefined;

/** Receivers limit the size of an attribute. */
const MOST_CHARACTERS = 32_000;
const CLIENT = 3;
const ERROR = 2;
const NS_PER_MS = 1_000_000n;

const digest = (text: string, bytes: number) =>
  createHash("sha256").update(text).digest().subarray(0, bytes).toString("hex");

const valueOf = (value: NonNullable<Value>): object => {
  if (typeof value === "string") return { stringValue: value.slice(0, MOST_CHARACTERS).toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "object") return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

const attributesOf = (values: Readonly<Record<string, Value>>) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueOf(value) }],
  );

const contentAttributes = (content: GenerationContent | undefined): Record<string, Value> =>
  content
    ? {
        "gen_ai.input.messages": JSON.stringify(content.input.messages),
        "gen_ai.output.messages": JSON.stringify([{ role: "assistant", ...content.output }]),
      }
    : {};

/**
 * A generation as a span by the GenAI semantic conventions. Trace and span have the same ids each time, so that a receiver can
 * drop a repetition.
 */
function spanOf(generation: ExportedGeneration) {
  const { id, trace_id: traceId, created_at, generation_time: ms, error } = generation;
  const start = BigInt(Date.parse(created_at)) * NS_PER_MS;
  const isEmbedding = generation.protocol === "embeddings";
  const operation = isEmbedding ? "embeddings" : "chat";
  return {
    traceId: traceId !== null && /^(?!0{32})[0-9a-f]{32}$/.test(traceId) ? traceId : digest(`trace ${id}`, 16),
    spanId: digest(`span ${id}`, 8),
    name: `${operation} ${generation.model}`,
    kind: CLIENT,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + BigInt(ms ?? 0) * NS_PER_MS),
    attributes: attributesOf({
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": generation.provider,
      "gen_ai.request.model": generation.requested_model,
      "gen_ai.response.model": generation.model,
      "gen_ai.response.id": generation.upstream_id,
      "gen_ai.response.finish_reasons": generation.finish_reason === null ? null : [generation.finish_reason],
      "gen_ai.usage.input_tokens": generation.tokens_prompt,
      "gen_ai.usage.output_tokens": generation.tokens_completion,
      "gen_ai.conversation.id": generation.session_id,
      "error.type": error === null ? null : String(error.status),
      "enduser.id": generation.external_user,
      "signalbox.generation.id": id,
      "signalbox.generation.status": generation.status,
      "signalbox.generation.cost_usd": generation.total_cost,
      "signalbox.workspace.id": generation.workspace_id,
      "signalbox.key.name": generation.key_name,
      "signalbox.user.id": generation.user_id,
      "signalbox.decisions": [...new Set(generation.decisions.map(({ field, action }) => `${field}:${action}`))],
      ...contentAttributes(generation.content),
    }),
    status: error === null ? {} : { code: ERROR, message: error.message.slice(0, 1000) },
  };
}

/** The body of a request to an OTLP traces endpoint, as JSON. */
export const otlpBody = (organizationId: string, generations: readonly ExportedGeneration[]): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: {
          attributes: attributesOf({ "service.name": "signalbox", "signalbox.organization.id": organizationId }),
        },
        scopeSpans: [{ scope: { name: "signalbox.export" }, spans: generations.map(spanOf) }],
      },
    ],
  });
