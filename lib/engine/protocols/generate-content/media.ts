import "server-only";
import { asText, type JsonObject } from "../../../platform/json-values";
import { readDataUrl } from "../data-url";
import type { FieldPath, Refuse } from "../field-rules";

const TYPES: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  heic: "image/heic",
  heif: "image/heif",
  pdf: "application/pdf",
  json: "application/json",
  txt: "text/plain",
  md: "text/markdown",
  html: "text/html",
  css: "text/css",
  csv: "text/csv",
  xml: "text/xml",
  mp3: "audio/mp3",
  wav: "audio/wav",
  aiff: "audio/aiff",
  aac: "audio/aac",
  ogg: "audio/ogg",
  flac: "audio/flac",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mpg: "video/mpg",
  mov: "video/mov",
  avi: "video/avi",
  webm: "video/webm",
  wmv: "video/wmv",
  flv: "video/x-flv",
  "3gp": "video/3gpp",
};

const YOUTUBE = /^https?:\/\/(?:(?:www|m)\.)?(?:youtube\.com|youtu\.be)\//i;

/** Converts a data URL or another URL to a part; `path` leads to the URL. */
export function mediaPart(url: unknown, path: FieldPath, refuse: Refuse): JsonObject {
  const text = asText(url) ?? "";
  const data = readDataUrl(text);
  if (data) return { inlineData: { mimeType: data.mediaType, data: data.base64 } };
  if (!/^(?:https?|gs):\/\/./i.test(text)) {
    refuse(path, "must be a URL or a data URL");
    return {};
  }
  const extension = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(text.slice(text.lastIndexOf("/")))?.[1]?.toLowerCase() ?? "";
  const mimeType = YOUTUBE.test(text) ? "video/mp4" : TYPES[extension];
  if (mimeType === undefined)
    refuse(path, "must end in the extension of a media type: send the data of other files as a data URL");
  return { fileData: { fileUri: text, mimeType } };
}
