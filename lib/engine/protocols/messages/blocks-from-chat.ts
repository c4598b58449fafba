import type { ChatContentPart } from "../contracts/chat-messages-contract";
import { asObject, asText, type JsonObject } from "../../../platform/json-values";
import { readDataUrl } from "../data-url";
import { dropOthers, type FieldPath, type Refuse } from "../field-rules";

const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text"]),
  image_url: new Set(["type", "image_url"]),
  file: new Set(["type", "file"]),
};

/** Converts content to blocks, without blank texts, which the API rejects. */
export function toBlocks(
  content: string | readonly ChatContentPart[] | null | undefined,
  path: FieldPath,
  refuse: Refuse,
): JsonObject[] {
  if (typeof content === "string") return textBlock(content);
  return (content ?? []).flatMap((part, index) => toBlock(part, [...path, "content", index], refuse));
}

export const textBlock = (text: string, more: JsonObject = {}): JsonObject[] =>
  text.trim() === "" ? [] : [{ type: "text", text, ...more }];

export function toBlock(part: ChatContentPart, path: FieldPath, refuse: Refuse): JsonObject[] {
  const known = PARTS[part.type];
  if (known) dropOthers(part, known, path, refuse);
  const cached = cacheControlOf(part);
  switch (part.type) {
    case "text":
      return textBlock(String(part["text"]), cached);
    case "image_url":
      return [{ ...toImage(asText(asObject(part["image_url"])?.["url"]) ?? "", path, refuse), ...cached }];
    case "file":
      return [{ ...toDocument(asObject(part["file"]) ?? {}, path, refuse), ...cached }];
    default:
      refuse(path, `parts of type \`${part.type}\` aren't supported`);
      return [];
  }
}

/** Returns a caching hint without nulls, which the API rejects. */
export function cacheControlOf({ cache_control }: JsonObject): { cache_control?: JsonObject } {
  const { type, ttl } = asObject(cache_control) ?? {};
  return type === "ephemeral" ? { cache_control: { type, ...(asText(ttl) && { ttl }) } } : {};
}

const IMAGES: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** Returns the type and the base64 of a data URL that has data; null for others. */
function dataOf(url: string): { media_type: string; data: string } | null {
  const { mediaType, base64: data } = readDataUrl(url) ?? { mediaType: "", base64: "" };
  return data === "" ? null : { media_type: mediaType === "image/jpg" ? "image/jpeg" : mediaType, data };
}

const isAddress = (url: string): boolean => /^https?:/i.test(url);

function toImage(url: string, path: FieldPath, refuse: Refuse): JsonObject {
  if (isAddress(url)) return { type: "image", source: { type: "url", url } };
  const image = dataOf(url);
  if (!image || !IMAGES.has(image.media_type))
    refuse([...path, "image_url", "url"], "must be a URL, or base64 of a JPEG, PNG, GIF or WebP image");
  return { type: "image", source: { type: "base64", ...image } };
}

const FILE: ReadonlySet<string> = new Set(["filename", "file_data", "file_id"]);

function toDocument(file: JsonObject, path: FieldPath, refuse: Refuse): JsonObject {
  dropOthers(file, FILE, [...path, "file"], refuse);
  const title = asText(file["filename"]);
  const id = asText(file["file_id"]);
  const source = id === null ? toSource(asText(file["file_data"]) ?? "", path, refuse) : { type: "file", file_id: id };
  return { type: "document", source, ...(title && { title }) };
}

function toSource(data: string, path: FieldPath, refuse: Refuse): JsonObject {
  if (isAddress(data)) return { type: "url", url: data };
  const file = dataOf(data);
  if (file?.media_type === "application/pdf") return { type: "base64", ...file };
  if (file?.media_type === "text/plain")
    return { type: "text", media_type: file.media_type, data: Buffer.from(file.data, "base64").toString() };
  refuse([...path, "file", "file_data"], "must be a URL, or a data URL of a PDF or plain text");
  return {};
}
