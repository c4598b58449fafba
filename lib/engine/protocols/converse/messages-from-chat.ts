import { asObject, asObjects, asText, type JsonObject } from "../broken-answer";
import type { ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { refuseOthers, type FieldPath, type Refuse } from "../field-rules";
import { toReasoningBlocks } from "./reasoning-details";

interface Turn {
  role: "user" | "assistant";
  content: JsonObject[];
}

/** Fields of a Converse request that messages become. */
interface Conversation {
  system?: JsonObject[];
  messages: Turn[];
}

const SAID: ReadonlySet<string> = new Set(["role", "content"]);
/** Fields of an assistant's message; those that only describe an earlier answer aren't part of the prompt. */
const ANSWERED: ReadonlySet<string> = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "reasoning",
  "reasoning_content",
  "reasoning_details",
  "annotations",
]);
/** `name` repeats the name of the called function. */
const RETURNED: ReadonlySet<string> = new Set(["role", "content", "tool_call_id", "name"]);

/** Converts messages to turns that alternate, as Converse requires. */
export function toConversation(messages: readonly ChatMessage[], hasTools: boolean, refuse: Refuse): Conversation {
  const said = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  const leading = said === -1 ? messages.length : said;
  const system = messages.slice(0, leading).flatMap((message, index) => {
    refuseOthers(message, SAID, ["messages", index], refuse);
    return toBlocks(message.content, ["messages", index], refuse, INSTRUCTIONS);
  });
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (index < leading) continue;
    const path = ["messages", index];
    const turn = toTurn(message, path, refuse);
    const last = turns.at(-1);
    if (!turn || turn.content.length === 0) continue;
    if (last?.role === turn.role) last.content.push(...turn.content);
    else turns.push(turn);
  }
  if (turns[0]?.role !== "user") refuse(["messages"], "must begin with a message of the user that has content");
  if (!hasTools && turns.some(({ content }) => content.some((block) => block["toolUse"] ?? block["toolResult"])))
    refuse(["tools"], "is required with messages that call tools");
  return { ...(system.length > 0 && { system }), messages: turns };
}

function toTurn(message: ChatMessage, path: FieldPath, refuse: Refuse): Turn | null {
  switch (message.role) {
    case "user":
      refuseOthers(message, SAID, path, refuse);
      return { role: "user", content: toBlocks(message.content, path, refuse, EVERY) };
    case "tool": {
      refuseOthers(message, RETURNED, path, refuse);
      const content = toBlocks(message.content, path, refuse, RESULTS);
      const [points, blocks] = [content.filter(isCachePoint), content.filter((block) => !isCachePoint(block))];
      const toolResult = { toolUseId: toToolUseId(message.tool_call_id), content: blocks };
      return { role: "user", content: [{ toolResult }, ...points] };
    }
    case "assistant": {
      refuseOthers(message, ANSWERED, path, refuse);
      const { content, refusal, tool_calls } = message;
      return {
        role: "assistant",
        content: [
          ...toReasoningBlocks(message["reasoning_details"]),
          ...toBlocks(content ?? "", path, refuse, ANSWERS),
          ...(refusal ? [{ text: refusal }] : []),
          ...(tool_calls ?? []).flatMap((call, index) => toToolUse(call, [...path, "tool_calls", index], refuse)),
        ],
      };
    }
    case "system":
    case "developer":
      refuse(path, "messages of the system are possible only before all others");
      return null;
    case "function":
      refuse(path, "messages of role `function` have no counterpart: use role `tool`");
      return null;
  }
}

/** Ids of other APIs may have characters that Converse doesn't take. */
const toToolUseId = (id: unknown): string =>
  String(id)
    .replaceAll(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 64);

function toToolUse(call: ToolCall, path: FieldPath, refuse: Refuse): JsonObject[] {
  const { id, type, function: called } = call as JsonObject;
  if (type !== "function") {
    refuse(path, `calls of type \`${String(type)}\` have no counterpart`);
    return [];
  }
  const { name, arguments: args } = asObject(called) ?? {};
  const input = parsed(asText(args) || "{}");
  if (!input) refuse([...path, "function", "arguments"], "must be a JSON object");
  return [{ toolUse: { toolUseId: toToolUseId(id), name, input: input ?? {} } }];
}

function parsed(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

const isCachePoint = (block: JsonObject): boolean => "cachePoint" in block;

/** Converts the mark of a prefix that is cached. */
export function cachePointOf(control: unknown): JsonObject[] {
  const { ttl } = asObject(control) ?? {};
  return asObject(control) ? [{ cachePoint: { type: "default", ...(asText(ttl) !== null && { ttl }) } }] : [];
}

/** Types of parts by the place of a message. */
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
      refuse(at, `parts of type \`${type}\` have no counterpart here`);
      return [];
    }
    refuseOthers(part, new Set(["type", type, "cache_control"]), at, refuse);
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
  const data = /^data:[a-z]+\/([\w.+-]+)(?:;[^,;]+)*;base64,/i.exec(address);
  const stored = /^s3:\/\/.+\.(\w+)$/i.exec(address);
  const format = formats[(data ?? stored)?.[1]?.toLowerCase() ?? ""];
  if (format === undefined) return null;
  return data
    ? { format, source: { bytes: address.slice(data[0].length) } }
    : { format, source: { s3Location: { uri: address } } };
}

/** Names of documents have letters, digits, hyphens, parentheses, brackets and single spaces. */
const documentName = (filename: string | null): string =>
  (filename ?? "")
    .replace(/\.\w+$/, "")
    .replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ")
    .trim()
    .slice(0, 200) || "document";
