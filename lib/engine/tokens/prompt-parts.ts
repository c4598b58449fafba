import type { InferenceRequest } from "../protocols/inference-request";
import type { ChatMessage } from "../protocols/contracts/chat-messages-contract";
import { asObject, asText, type JsonObject } from "../../platform/json-values";
import { unknownFields } from "../protocols/known-fields";
import type { TokenCount } from "./script-tokens";

/** The billed parts of a prompt: its texts, and the tokens of everything else. */
export interface PromptParts {
  texts: string[];
  others: TokenCount;
  images: number;
  hasAudio: boolean;
  /** False with media, hosted tools, or content that only the upstream can read, whose size only the bill tells. */
  isTextOnly: boolean;
}

const count = (expected: number, most: number): TokenCount => ({ expected, most });

/** Tokens of a chat template: once, and for each message. */
const TEMPLATE = count(3, 100);
const MESSAGE = count(4, 10);
/** Instructions that vendors add to the prompt of a request with tools, for each server tool, and for a schema. */
const TOOLS = count(12, 700);
const SERVER_TOOL = count(0, 16_000);
const SCHEMA = count(17, 300);

/** Fields whose values name or classify something and aren't part of the prompt. */
const NOT_TEXT = new Set(
  "type role id call_id tool_call_id tool_use_id status detail phase ttl signature media_type file_id".split(" "),
);

/** Fields and types of content that is stored at the upstream, or encrypted by it. */
const UNREADABLE_FIELDS = new Set(["encrypted_content", "file_id"]);
const UNREADABLE_TYPES = new Set(["item_reference", "redacted_thinking"]);

/** Returns the length in bytes of base64 data, with or without the header of a data URL; null for an address. */
function dataBytes(source: string | null): number | null {
  if (source === null || /^(?:https?|file):/i.test(source)) return null;
  return Math.ceil(((source.length - (source.startsWith("data:") ? source.indexOf(",") + 1 : 0)) * 3) / 4);
}

const firstText = (...values: unknown[]): string | null => values.map(asText).find((text) => text !== null) ?? null;

/** Tokens of an image: a thumbnail, or up to the largest size that vendors split into tiles. */
const imageTokens = (detail: unknown): TokenCount => (detail === "low" ? count(85, 300) : count(800, 1700));

/** Returns the tokens of a part that isn't text, by vendors' published rates; null for text. */
function mediaTokens(part: JsonObject): TokenCount | null {
  switch (part["type"]) {
    case "image_url":
      return imageTokens(asObject(part["image_url"])?.["detail"]);
    case "input_image":
      return imageTokens(part["detail"]);
    case "input_audio": {
      // 10 to 32 tokens per second; WAV has at least 32,000 bytes per second, MP3 2,000.
      const { data, format } = asObject(part["input_audio"]) ?? {};
      const bytes = dataBytes(asText(data)) ?? 0;
      return count(Math.ceil(bytes / 2000), Math.ceil(bytes / (format === "wav" ? 1000 : 60)));
    }
    case "file":
    case "input_file": {
      const file = asObject(part["file"]) ?? part;
      const bytes = dataBytes(firstText(file["file_data"], file["file_url"]));
      return bytes === null ? count(3000, 30_000) : count(Math.ceil(bytes / 20), Math.ceil(bytes / 2));
    }
    case "image":
      return asObject(part["source"]) ? imageTokens(null) : null;
    case "document": {
      const { type, data } = asObject(part["source"]) ?? {};
      if (type === "text" || type === "content") return null;
      const bytes = type === "base64" ? (dataBytes(asText(data)) ?? 0) : null;
      return bytes === null ? count(3000, 30_000) : count(Math.ceil(bytes / 20), Math.ceil(bytes / 2));
    }
    case "video_url":
    case "input_video": {
      const bytes = dataBytes(firstText(asObject(part["video_url"])?.["url"], part["video_url"]));
      return bytes === null ? count(5000, 100_000) : count(Math.ceil(bytes / 1000), Math.ceil(bytes / 100));
    }
    default:
      return null;
  }
}

class Gatherer implements PromptParts {
  readonly texts: string[] = [];
  readonly others = { expected: 0, most: 0 };
  images = 0;
  hasAudio = false;
  isTextOnly = true;

  add({ expected, most }: TokenCount, times = 1): void {
    this.others.expected += expected * times;
    this.others.most += most * times;
  }

  /** Gathers every text in a message, item or part. */
  content(value: unknown, name = ""): void {
    if (typeof value === "string") {
      if (value !== "" && !NOT_TEXT.has(name)) this.texts.push(value);
      if (UNREADABLE_FIELDS.has(name) || (name === "type" && UNREADABLE_TYPES.has(value))) this.isTextOnly = false;
      return;
    }
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) this.content(one, name);
      return;
    }
    const media = mediaTokens(value as JsonObject);
    if (media) {
      this.add(media);
      this.isTextOnly = false;
      const type = String((value as JsonObject)["type"]);
      if (type.includes("image")) this.images += 1;
      this.hasAudio ||= type.includes("audio");
    } else for (const [field, one] of Object.entries(value)) this.content(one, field);
  }

  messages(messages: readonly unknown[]): void {
    this.add(MESSAGE, messages.length);
    this.content(messages);
  }

  tools(tools: readonly { type?: string | null | undefined }[] | null | undefined): void {
    if (!tools?.length) return;
    this.add(TOOLS);
    this.hosted(tools.filter(({ type }) => (type ?? "custom") !== "custom" && type !== "function").length);
    this.texts.push(JSON.stringify(tools));
  }

  /** Adds the results of tools that the upstream runs. */
  hosted(tools: number): void {
    this.add(SERVER_TOOL, tools);
    this.isTextOnly &&= tools === 0;
  }

  functions(functions: readonly unknown[] | undefined): void {
    if (!functions?.length) return;
    this.add(TOOLS);
    this.texts.push(JSON.stringify(functions));
  }

  schema(format: { type: string } | null | undefined): void {
    if (format?.type !== "json_schema") return;
    this.add(SCHEMA);
    this.texts.push(JSON.stringify(format));
  }
}

/** Returns the parts of a prompt of which only the messages are known. */
export function partsOfMessages(messages: readonly ChatMessage[]): PromptParts {
  const parts = new Gatherer();
  parts.add(TEMPLATE);
  parts.messages(messages);
  return parts;
}

/** Returns the parts of a request that are billed as its prompt. */
export function promptParts({ protocol, body }: InferenceRequest): PromptParts {
  const parts = new Gatherer();
  parts.add(TEMPLATE);
  if (protocol === "responses") {
    const { input = "", instructions, prompt, text } = body;
    parts.messages(instructions ? [instructions] : []);
    parts.messages(typeof input === "string" ? [input] : input);
    parts.content(Object.values(prompt?.variables ?? {}));
    parts.schema(text?.format);
    parts.isTextOnly &&= !prompt;
  } else if (protocol === "messages") {
    const { system, messages, output_config, output_format } = body;
    parts.messages(system ? [system] : []);
    parts.messages(messages);
    parts.schema(output_config?.format ?? output_format);
    parts.isTextOnly &&= !body.mcp_servers?.length && !body.container;
  } else {
    parts.messages(body.messages);
    parts.schema(body.response_format);
    parts.functions(body.functions);
    if (body.web_search_options) parts.hosted(1);
  }
  parts.tools(body.tools);
  for (const name of unknownFields(protocol, body)) parts.content(body[name], name);
  return parts;
}
