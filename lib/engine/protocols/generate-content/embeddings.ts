import { asObject, asObjects, type JsonObject } from "../../../platform/json-values";
import { modelPath, resourceName } from "./body";

interface EmbeddingOptions {
  dimensions?: number | undefined;
  inputType?: string | undefined;
}

/** Tasks of Google's embedding models by type of a request; other types are sent unchanged. */
const TASKS: Readonly<Record<string, string>> = {
  search_query: "RETRIEVAL_QUERY",
  search_document: "RETRIEVAL_DOCUMENT",
  classification: "CLASSIFICATION",
  clustering: "CLUSTERING",
};

/** Builds a request for the embeddings of texts. */
export function embedRequest(
  model: string,
  texts: readonly string[],
  { dimensions, inputType }: EmbeddingOptions,
): { path: string; body: JsonObject } {
  const requests = texts.map((text) => ({
    model: resourceName(model),
    content: { parts: [{ text }] },
    ...(inputType !== undefined && { taskType: TASKS[inputType] ?? inputType }),
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
  }));
  return { path: `${modelPath(model)}:batchEmbedContents`, body: { requests } };
}

/** Converts embeddings of Gemini, or predictions of Vertex AI, to the format of OpenAI-compatible upstreams. */
export function toEmbeddingList(value: unknown): unknown {
  const body = asObject(value);
  if (!body || body["error"]) return value;
  const predictions = asObjects(body["predictions"]).map(({ embeddings }) => asObject(embeddings) ?? {});
  const embeddings = [...asObjects(body["embeddings"]), ...predictions];
  const counts = predictions.map(({ statistics }) => Number(asObject(statistics)?.["token_count"] ?? NaN));
  const reported = asObject(body["usageMetadata"])?.["promptTokenCount"];
  const tokens = reported ?? (counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined);
  return {
    data: embeddings.map(({ values }, index) => ({ index, embedding: values })),
    ...(Number.isFinite(tokens) && { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
  };
}
