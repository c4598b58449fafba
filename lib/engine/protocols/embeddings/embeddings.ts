import "server-only";
import { Buffer } from "node:buffer";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";
import { answerObject, BrokenResponse } from "../broken-response";
import type { UpstreamProtocol } from "../vocabulary";

export type Vector = readonly number[] | string;
type Encoding = "float" | "base64";

/** Reads an upstream's embeddings in the order of the inputs; throws `BrokenResponse` unless there is one for each. */
export function readEmbeddings(value: unknown, inputs: number): Vector[] {
  const body = answerObject(value);
  const given = new Map<unknown, Vector>();
  for (const [position, { index = position, embedding }] of asObjects(body["data"]).entries())
    if (isVector(embedding)) given.set(index, embedding);
  const vectors = Array.from({ length: inputs }, (_, index) => given.get(index)).filter(
    (vector) => vector !== undefined,
  );
  if (vectors.length !== inputs || given.size !== inputs)
    throw new BrokenResponse("The answer doesn't have one embedding for each input", startOf(body));
  return vectors;
}

const isVector = (value: unknown): value is Vector =>
  typeof value === "string" || (Array.isArray(value) && value.every((number) => typeof number === "number"));

const startOf = ({ data: _, ...rest }: JsonObject): string => JSON.stringify(rest);

/** Encodes a vector as requested; upstreams may not know `encoding_format`. */
export function encodeVector(vector: Vector, encoding: Encoding): number[] | string {
  if (typeof vector === "string") return encoding === "base64" ? vector : fromBase64(vector);
  return encoding === "base64" ? toBase64(vector) : [...vector];
}

const BYTES = Float32Array.BYTES_PER_ELEMENT;

function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * BYTES);
  for (const [index, number] of vector.entries()) bytes.writeFloatLE(number, index * BYTES);
  return bytes.toString("base64");
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: Math.floor(bytes.length / BYTES) }, (_, index) => bytes.readFloatLE(index * BYTES));
}

/** Returns an answer without text that has the id and usage of embeddings, so that it is observed, charged and recorded like any other. */
export function withoutText(value: unknown, protocol: UpstreamProtocol): object {
  const body = answerObject(value);
  const usage = asObject(body["usage"]);
  const prompt = usage?.["prompt_tokens"] ?? usage?.["total_tokens"];
  const id = asText(body["id"]) ?? "embeddings";
  if (protocol === "responses")
    return {
      id,
      object: "response",
      status: "completed",
      output: [],
      ...(usage && { usage: { input_tokens: prompt, output_tokens: 0, total_tokens: prompt } }),
    };
  if (protocol === "generate_content")
    return {
      responseId: id,
      candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
      ...(usage && { usageMetadata: { promptTokenCount: prompt, totalTokenCount: prompt } }),
    };
  return {
    id,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "" }, finish_reason: "stop" }],
    ...(usage && { usage: { prompt_tokens: prompt, completion_tokens: 0, total_tokens: prompt } }),
  };
}
