import "server-only";
import { createHash } from "node:crypto";
import { countWords, sandboxRefusal } from "./sandbox";

const DIMENSIONS = 8;
const MAX_DIMENSIONS = 4096;

/** Embeddings of the built-in upstream: a unit vector from a hash of each text. Counts tokens as words. */
export async function sandboxEmbeddings(body: Record<string, unknown> & { model: string }): Promise<Response> {
  const refusal = sandboxRefusal(body.model);
  if (refusal) return refusal;
  const inputs = body["input"] as readonly string[];
  const dimensions = Math.min(MAX_DIMENSIONS, typeof body["dimensions"] === "number" ? body["dimensions"] : DIMENSIONS);
  const tokens = inputs.reduce((sum, text) => sum + countWords(text), 0);
  return Response.json({
    object: "list",
    model: body.model,
    data: inputs.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text, dimensions) })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function vectorOf(text: string, dimensions: number): number[] {
  const bytes = createHash("shake256", { outputLength: dimensions * 4 })
    .update(text)
    .digest();
  const numbers = Array.from({ length: dimensions }, (_, index) => bytes.readInt32LE(index * 4) / 2 ** 31);
  const length = Math.hypot(...numbers) || 1;
  return numbers.map((number) => number / length);
}
