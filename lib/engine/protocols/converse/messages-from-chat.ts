import { MAX_CALL_ID, shortCallId } from "../call-id";
import { asObject, asObjects, asText, objectIn, type JsonObject } from "../../../platform/json-values";
import { isOneRole, joinTurns, readTurns, roleOf, type SaidBy } from "../chat/turns";
import type { ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { readDataUrl } from "../data-url";
import { drop, dropOthers, type FieldPath, type Refuse } from "../field-rules";
import { toReasoningBlocks } from "./reasoning-details";

/** Fields of a Converse request that contain the messages. */
interface Conversation {
  system?: JsonObject[];
  messages: { role: "user" | "assistant"; content: JsonObject[] }[];
}

/**
 * Converts messages to alternating turns, as Converse requires. Instructions in the middle become text of the user's
 * turn, marked as instructions.
 */
export function toConversation(messages: readonly ChatMessage[], report: Refuse): Conversation {
  let isRefused = false as boolean;
  const refuse: Refuse = (path, message, unless, leftOut) => {
    isRefused ||= leftOut === undefined;
    report(path, message, unless, leftOut);
  };
  const said = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const leading = new Set(messages.slice(0, said === -1 ? messages.length : said));
  const turns = readTurns<JsonObject>(
    messages,
    {
      system: (message, path) => {
        const blocks = toBlocks(message.content, path, refuse, INSTRUCTIONS);
        return leading.has(message) ? blocks : blocks.map(marked);
      },
      user: ({ content }, path) => toBlocks(content, path, refuse, EVERY),
      assistant: (message, path) => toAnswer(message, path, refuse),
      tool: (message, path) => toResult(message, path, refuse),
    },
    refuse,
  );
  const placed = turns.map((turn) =>
    turn.speaker === "system" && Number(turn.path[1]) >= leading.size ? { ...turn, speaker: "user" as const } : turn,
  );
  const { instructions: system, conversation } = joinTurns(placed, isOneRole);
  if (conversation[0]?.speaker !== "user" && !isRefused)
    refuse(["messages"], "must begin with a user message that has content");
  return {
    ...(system.length > 0 && { system }),
    messages: conversation.map((turn) => ({ role: roleOf(turn), content: resultsFirst(turn.items) })),
  };
}

const marked = (block: JsonObject): JsonObject =>
  "text" in block ? { ...block, text: `<system>\n${String(block["text"])}\n</system>` } : block;

/** Moves results of tools, with their cache points, to the beginning of their turn. */
function resultsFirst(blocks: readonly JsonObject[]): JsonObject[] {
  const isResult = (block: JsonObject | undefined): boolean => block !== undefined && "toolResult" in block;
  const belongs = (block: JsonObject, index: number): boolean =>
    isResult(block) || (isCachePoint(block) && isResult(blocks[index - 1]));
  return [...blocks.filter(belongs), ...blocks.filter((block, index) => !belongs(block, index))];
}

function toAnswer(message: SaidBy<"assistant">, path: FieldPath, refuse: Refuse): JsonObject[] {
  const { content, refusal, tool_calls, images, reasoning_details } = message;
  if ((images ?? null) !== null) drop([...path, "images"], refuse);
  return [
    ...toReasoningBlocks(reasoning_details),
    ...toBlocks(content ?? "", path, refuse, ANSWERS),
    ...(refusal ? [{ text: refusal }] : []),
    ...(tool_calls ?? []).flatMap((call, index) => toToolUse(call, [...path, "tool_calls", index], refuse)),
  ];
}

function toResult(message: SaidBy<"tool">, path: FieldPath, refuse: Refuse): JsonObject[] {
  const content = toBlocks(message.content, path, refuse, RESULTS);
  const [points, blocks] = [content.filter(isCachePoint), content.filter((block) => !isCachePoint(block))];
  const toolResult = { toolUseId: toToolUseId(message.tool_call_id), content: blocks };
  return [{ toolResult }, ...points];
}

/** Replaces characters of other APIs' ids that Converse doesn't accept. */
const toToolUseId = (id: unknown): string => shortCallId(String(id).replaceAll(/[^A-Za-z0-9_-]/g, "_"), MAX_CALL_ID);

function toToolUse(call: ToolCall, path: FieldPath, refuse: Refuse): JsonObject[] {
  const { id, type = "function", function: called } = call as JsonObject;
  if (type !== "function") {
    refuse(path, `calls of type \`${String(type)}\` aren't supported`);
    return [];
  }
  const { name, arguments: args } = asObject(called) ?? {};
  const input = objectIn(asText(args) || "{}");
  if (!input) refuse([...path, "function", "arguments"], "must be a JSON object");
  return [{ toolUse: { toolUseId: toToolUseId(id), name, input: input ?? {} } }];
}

const isCachePoint = (block: JsonObject): boolean => "cachePoint" in block;

/** Converts the mark at the end of a cached prefix. */
export function cachePointOf(control: unknown): JsonObject[] {
  const { ttl } = asObject(control) ?? {};
  return asObject(control) ? [{ cachePoint: { type: "default", ...(asText(ttl) !== null && { ttl }) } }] : [];
}

/** Types of parts by the role of a message. */
const EVERY: ReadonlySet<string> = new Set(["text", "image_url", "file", "video_url"]);
const RESULTS: ReadonlySet<string> = new Set(["text", "image_url", "file"]);
const INSTRUCTIONS: ReadonlySet<string> = new Set(["text"]);
const ANSWERS: ReadonlySet<string> = new Set(["text", "refusal"]);

/** Converts content to blocks, without blank texts, which Converse rejects. */
function toBlocks(
  content: ChatMessage["content"],
  path: FieldPath,
  refuse: Refuse,
  types: ReadonlySet<string>,
): JsonObject[] {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : asObjects(content);
  return parts.flatMap((part, index) => {
    const at = [...path, "content", index];
    const type = String(part["type"]);
    if (!types.has(type)) {
      refuse(at, `parts of type \`${type}\` aren't supported here`);
      return [];
    }
    dropOthers(part, new Set(["type", type, "cache_control"]), at, refuse);
    const block = toBlock(type, part[type], at, refuse);
    return [...(block ? [block] : []), ...cachePointOf(part["cache_control"])];
  });
}

function toBlock(type: string, value: unknown, path: FieldPath, refuse: Refuse): JsonObject | null {
  if (type === "text" || type === "refusal") {
    const text = asText(value) ?? "";
    return text.trim() === "" ? null : { text };
  }
  const fields = asObject(value) ?? {};
  const address = asText(type === "file" ? fields["file_data"] : fields["url"]) ?? "";
  const kind = KINDS[type as keyof typeof KINDS];
  const media = mediaOf(address, kind.formats);
  if (!media) {
    refuse([...path, type], `must be a data URL or an s3:// address of a format that Bedrock takes`);
    return null;
  }
  return { [kind.block]: { ...media, ...(type === "file" && { name: documentName(asText(fields["filename"])) }) } };
}

const IMAGES = { png: "png", jpeg: "jpeg", jpg: "jpeg", gif: "gif", webp: "webp" };
const VIDEOS = {
  mp4: "mp4",
  mov: "mov",
  quicktime: "mov",
  mkv: "mkv",
  "x-matroska": "mkv",
  webm: "webm",
  mpeg: "mpeg",
  mpg: "mpg",
  wmv: "wmv",
  "3gpp": "three_gp",
};
const DOCUMENTS = {
  pdf: "pdf",
  csv: "csv",
  html: "html",
  htm: "html",
  plain: "txt",
  txt: "txt",
  markdown: "md",
  md: "md",
  msword: "doc",
  doc: "doc",
  docx: "docx",
  "vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  xls: "xls",
  "vnd.ms-excel": "xls",
  xlsx: "xlsx",
  "vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
};
const KINDS: Readonly<
  Record<"image_url" | "video_url" | "file", { block: string; formats: Readonly<Record<string, string>> }>
> = {
  image_url: { block: "image", formats: IMAGES },
  video_url: { block: "video", formats: VIDEOS },
  file: { block: "document", formats: DOCUMENTS },
};

/** Returns the format and the source of a data URL or of an object in S3; null for others. */
function mediaOf(address: string, formats: Readonly<Record<string, string>>): JsonObject | null {
  const data = readDataUrl(address);
  const name = data ? data.mediaType.split("/")[1] : /^s3:\/\/.+\.(\w+)$/i.exec(address)?.[1]?.toLowerCase();
  const format = formats[name ?? ""];
  if (format === undefined) return null;
  return { format, source: data ? { bytes: data.base64 } : { s3Location: { uri: address } } };
}

/**
 * Returns a document's name with the characters that Converse accepts: letters, digits, hyphens, parentheses, brackets
 * and single spaces.
 */
const documentName = (filename: string | null): string =>
  (filename ?? "")
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ")
    .trim()
    .slice(0, 200) || "document";
