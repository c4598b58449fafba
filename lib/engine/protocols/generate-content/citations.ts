import "server-only";
import { Buffer } from "node:buffer";
import { asObject, asObjects, asText, type JsonObject } from "../../../platform/json-values";

/** Converts the sources of a candidate to annotations; offsets are in bytes. */
export function toAnnotations(candidate: JsonObject, text: string): JsonObject[] {
  const bytes = Buffer.from(text);
  const place = ({ startIndex = 0, endIndex = 0 }: JsonObject) => ({
    start_index: charactersBefore(bytes, Number(startIndex)),
    end_index: charactersBefore(bytes, Number(endIndex)),
  });
  return [...groundings(asObject(candidate["groundingMetadata"]) ?? {}, place), ...citations(candidate, place)];
}

type Place = (segment: JsonObject) => { start_index: number; end_index: number };

const charactersBefore = (bytes: Buffer, index: number): number => bytes.subarray(0, index).toString().length;

const citation = (url: string, title: unknown, place: ReturnType<Place>, content: unknown = null): JsonObject => ({
  type: "url_citation",
  url_citation: { url, title: asText(title) ?? "", ...place, ...(asText(content) && { content }) },
});

/** Returns one annotation for each source of a segment, and one for each source without a segment. */
function groundings(metadata: JsonObject, place: Place): JsonObject[] {
  const sources = asObjects(metadata["groundingChunks"]).map(
    (chunk) => asObject(chunk["web"]) ?? asObject(chunk["retrievedContext"]) ?? asObject(chunk["maps"]) ?? {},
  );
  const named = new Set<unknown>();
  const supported = asObjects(metadata["groundingSupports"]).flatMap(({ segment, groundingChunkIndices }) =>
    (Array.isArray(groundingChunkIndices) ? (groundingChunkIndices as unknown[]) : []).flatMap((index) => {
      const { uri, title } = sources[Number(index)] ?? {};
      if (typeof uri !== "string") return [];
      named.add(index);
      const part = asObject(segment) ?? {};
      return [citation(uri, title, place(part), part["text"])];
    }),
  );
  const others = sources.flatMap(({ uri, title }, index) =>
    typeof uri === "string" && !named.has(index) ? [citation(uri, title, place({}))] : [],
  );
  return [...supported, ...others];
}

/** Returns citations of quoted sources; earlier versions of the API call the list `citationSources`. */
function citations(candidate: JsonObject, place: Place): JsonObject[] {
  const metadata = asObject(candidate["citationMetadata"]) ?? {};
  return asObjects(metadata["citations"] ?? metadata["citationSources"]).flatMap((source) =>
    typeof source["uri"] === "string" ? [citation(source["uri"], source["title"], place(source))] : [],
  );
}
