import { asObject, asText, type JsonObject } from "../../../platform/json-values";

/** Converts a citation of a web page to a citation of a search result; others keep their fields. */
export function toMessagesCitation({ type, ...fields }: JsonObject): JsonObject {
  if (type !== "url_citation") return { type, ...fields };
  const { url, title, content } = asObject(fields["url_citation"]) ?? fields;
  return {
    type: "web_search_result_location",
    url: asText(url) ?? "",
    title: asText(title),
    cited_text: asText(content) ?? "",
    encrypted_index: "",
  };
}
