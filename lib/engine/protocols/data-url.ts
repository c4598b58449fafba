import "server-only";
import { Buffer } from "node:buffer";

interface Data {
  /** The media type in lower case. */
  mediaType: string;
  base64: string;
}

/** Reads a data URL, whose media type is text/plain if it names none; null for any other text. */
export function readDataUrl(text: string): Data | null {
  const comma = text.indexOf(",");
  if (comma === -1 || !/^data:/i.test(text)) return null;
  const [type = "", ...parameters] = text.slice("data:".length, comma).toLowerCase().split(";");
  const data = text.slice(comma + 1);
  return { mediaType: type || "text/plain", base64: parameters.includes("base64") ? data : toBase64(data) };
}

function toBase64(data: string): string {
  let text = data;
  try {
    text = decodeURIComponent(data);
  } catch {
    // Not percent-encoded.
  }
  return Buffer.from(text).toString("base64");
}
