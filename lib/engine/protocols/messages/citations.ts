import { asText, type JsonObject } from "../../../platform/json-values";

/**
 * Converts a citation of the text between two offsets of the answer's content. Citations of search results become URL
 * citations; citations of documents keep their fields.
 */
export function toChatCitation({ type, ...citation }: JsonObject, start_index: number, end_index: number): JsonObject {
  if (type !== "web_search_result_location") return { type, ...citation };
  const { url, title, cited_text } = citation;
  return {
    type: "url_citation",
    url_citation: {
      url,
      title: asText(title) ?? "",
      start_index,
      end_index,
      ...(asText(cited_text) && { content: cited_text }),
    },
  };
}
