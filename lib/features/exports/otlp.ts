import "server-only";
import { createHash } from "node:crypto";
import type { GenerationContent } from "../content-access/contract";
import type { Generation } from "../../records/generations/contract";
import type { GenerationStatus } from "../../records/generations/vocabulary";
import { inputMessages, outputMessages } from "./genai-messages";
import type { ExportSignal } from "./vocabulary";

/** An exported generation. The content is missing unless the destination receives it. */
export interface ExportedGeneration extends Generation {
  content?: GenerationContent;
}

type Value = string | number | boolean | null | undefined | object;

const CLIENT = 3;
const ERROR = 2;
const NS_PER_MS = 1_000_000n;
const MOST_MESSAGE_CHARACTERS = 1000;
const INFO = { severityNumber: 9, severityText: "INFO" };
const SEVERITIES: Readonly<Record<GenerationStatus, { severityNumber: number; severityText: string }>> = {
  succeeded: INFO,
  cancelled: INFO,
  blocked: { severityNumber: 13, severityText: "WARN" },
  failed: { severityNumber: 17, severityText: "ERROR" },
};

const digest = (text: string, bytes: number) =>
  createHash("sha256").update(text).digest().subarray(0, bytes).toString("hex");

/**
 * Larger integers become doubles, because their decimal form can exceed int64 and receivers would reject the request.
 */
const numberOf = (value: number) =>
  Number.isSafeInteger(value)
    ? { intValue: String(value) }
    : { doubleValue: Number.isFinite(value) ? value : String(value) };

/** Converts a value to OTLP's JSON. Empty fields are omitted. */
function valueOf(value: NonNullable<Value>): object {
  if (typeof value === "string") return { stringValue: value.toWellFormed() };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return numberOf(value);
  if (Array.isArray(value))
    return {
      arrayValue: { values: value.map((one: Value) => (one === null || one === undefined ? {} : valueOf(one))) },
    };
  return { kvlistValue: { values: attributesOf(value as Record<string, Value>) } };
}

const attributesOf = (values: Readonly<Record<string, Value>>) =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key: key.toWellFormed(), value: valueOf(value) }],
  );

const operationOf = ({ protocol }: Generation) => (protocol === "embeddings" ? "embeddings" : "chat");

/** Trace and span ids are deterministic, so that a receiver can drop a repetition. */
const idsOf = ({ id, trace_id: traceId }: Generation) => ({
  traceId: traceId !== null && /^(?!0{32})[0-9a-f]{32}$/.test(traceId) ? traceId : digest(`trace ${id}`, 16),
  spanId: digest(`span ${id}`, 8),
});

function timesOf({ created_at, generation_time: ms }: Generation) {
  const start = BigInt(Date.parse(created_at)) * NS_PER_MS;
  return { start: String(start), end: String(start + BigInt(ms ?? 0) * NS_PER_MS) };
}

/** Attributes that spans and log records share. */
const factsOf = (generation: ExportedGeneration): Record<string, Value> => ({
  "gen_ai.operation.name": operationOf(generation),
  "gen_ai.provider.name": generation.provider,
  "gen_ai.request.model": generation.requested_model,
  "gen_ai.response.model": generation.model,
  "gen_ai.response.id": generation.upstream_id,
  "gen_ai.response.finish_reasons": generation.finish_reason === null ? null : [generation.finish_reason],
  "gen_ai.usage.input_tokens": generation.tokens_prompt,
  "gen_ai.usage.output_tokens": generation.tokens_completion,
  "gen_ai.conversation.id": generation.session_id,
  "error.type": generation.error === null ? null : String(generation.error.status),
  "enduser.id": generation.external_user,
  "signalbox.generation.id": generation.id,
  "signalbox.generation.status": generation.status,
  "signalbox.generation.cost_usd": generation.cost_known ? generation.total_cost : null,
  "signalbox.workspace.id": generation.workspace_id,
  "signalbox.key.name": generation.key_name,
  "signalbox.user.id": generation.user_id,
  "signalbox.decisions": [...new Set(generation.decisions.map(({ field, action }) => `${field}:${action}`))],
});

/**
 * Returns the content attributes. The conventions want structured messages in log records, and allow JSON in spans,
 * whose attributes are often simple values.
 */
function contentOf({ content, finish_reason, status }: ExportedGeneration, convert: (messages: object) => Value) {
  if (!content) return {};
  return {
    "gen_ai.input.messages": convert(inputMessages(content)),
    "gen_ai.output.messages": convert(outputMessages(content, finish_reason ?? status)),
  };
}

const messageOf = ({ error }: Generation) => error?.message.slice(0, MOST_MESSAGE_CHARACTERS);

/** Converts a generation to a span of the GenAI semantic conventions. */
function spanOf(generation: ExportedGeneration) {
  const { start, end } = timesOf(generation);
  return {
    ...idsOf(generation),
    name: `${operationOf(generation)} ${generation.model}`,
    kind: CLIENT,
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    attributes: attributesOf({ ...factsOf(generation), ...contentOf(generation, JSON.stringify) }),
    status: generation.error === null ? {} : { code: ERROR, message: messageOf(generation)?.toWellFormed() },
  };
}

/** Converts a generation to a log record of the GenAI semantic conventions: an event of its span, at its end. */
function logRecordOf(generation: ExportedGeneration) {
  const { end } = timesOf(generation);
  return {
    timeUnixNano: end,
    observedTimeUnixNano: end,
    ...SEVERITIES[generation.status],
    eventName: "gen_ai.client.inference.operation.details",
    attributes: attributesOf({
      "log.record.uid": generation.id,
      ...factsOf(generation),
      "error.message": messageOf(generation),
      ...contentOf(generation, (messages) => messages),
    }),
    ...idsOf(generation),
  };
}

/** Returns the JSON body of a request to the OTLP endpoint of a signal. */
export function otlpBody(
  signal: ExportSignal,
  organizationId: string,
  generations: readonly ExportedGeneration[],
): string {
  const resource = {
    attributes: attributesOf({ "service.name": "signalbox", "signalbox.organization.id": organizationId }),
  };
  const scope = { name: "signalbox.export" };
  return JSON.stringify(
    signal === "traces"
      ? { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: generations.map(spanOf) }] }] }
      : { resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords: generations.map(logRecordOf) }] }] },
  );
}
