import { asObject, asObjects, asText, jsonIn, type JsonObject } from "../../../platform/json-values";
import { joinTurns, readTurns } from "../chat/turns";
import type { ChatContentPart, ChatMessage, ToolCall } from "../contracts/chat-messages-contract";
import { dropOthers, type FieldPath, type Refuse } from "../field-rules";
import { textOf } from "../message-text";
import { mediaPart } from "./media";
import { imageId, signatureOfCall, signaturesIn } from "./signatures";

type Part = JsonObject;
interface Content {
  role: "user" | "model";
  parts: Part[];
}

/**
 * Converts messages to contents. Instructions are separate, wherever they are in the conversation; a conversation of
 * instructions alone becomes the user's. Outputs of the calls of one turn are one content, and so is an assistant's
 * turn.
 */
export function toContents(
  messages: readonly ChatMessage[],
  refuse: Refuse,
): { contents: Content[]; systemInstruction?: { parts: Part[] } } {
  const calls = new Map<string, string>();
  const turns = readTurns<Part>(
    messages,
    {
      system: ({ content }, path) => textParts(content, path, refuse).filter(({ text }) => text !== ""),
      user: ({ content }, path) => partsOf(content, path, refuse),
      assistant: (message, path) => answerParts(message, path, calls, refuse),
      tool: (message, path) => [toFunctionResponse(message, path, calls, refuse)],
    },
    refuse,
  );
  const { instructions, conversation } = joinTurns(turns, (before, next) => before === next && next !== "user");
  if (conversation.length === 0)
    return { contents: [{ role: "user", parts: instructions.length > 0 ? instructions : [{ text: "" }] }] };
  const contents = conversation.map(({ speaker, items }): Content => ({
    role: speaker === "assistant" ? "model" : "user",
    parts: items,
  }));
  return { contents, ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }) };
}

const CALL: ReadonlySet<string> = new Set(["id", "type", "index", "function", "extra_content"]);

function textParts(content: string | readonly ChatContentPart[], path: FieldPath, refuse: Refuse): Part[] {
  const parts = partsOf(content, path, refuse);
  for (const [index, part] of parts.entries())
    if (!("text" in part)) refuse([...path, "content", index], "must be text: instructions have no other parts");
  return parts;
}

/** Converts an assistant's message; signed parts keep their signature. */
function answerParts(
  message: ChatMessage & { role: "assistant" },
  path: FieldPath,
  calls: Map<string, string>,
  refuse: Refuse,
): Part[] {
  const { content, refusal, tool_calls, images, reasoning_details } = message;
  const signatures = signaturesIn(reasoning_details);
  const signed = (part: Part, signature: string | null | undefined): Part =>
    signature ? { ...part, thoughtSignature: signature } : part;
  if (Array.isArray(content))
    for (const [index, { type }] of content.entries())
      if (type !== "text" && type !== "refusal")
        refuse([...path, "content", index], `parts of type \`${type}\` aren't supported in an assistant message`);
  const refusals = asObjects(content).flatMap((part) => asText(part["refusal"]) ?? []);
  const text = [textOf(content), refusal ?? "", ...refusals].filter((one) => one !== "").join("\n");
  const ofText = signatures.get(null);
  return [
    ...(text !== "" || ofText ? [signed({ text }, ofText)] : []),
    ...asObjects(images).map((image, index) =>
      signed(
        mediaPart(asObject(image["image_url"])?.["url"], [...path, "images", index, "image_url", "url"], refuse),
        signatures.get(imageId(index)),
      ),
    ),
    ...(tool_calls ?? []).map((call, index) =>
      signed(
        toFunctionCall(call, [...path, "tool_calls", index], calls, refuse),
        signatureOfCall(call) ?? signatures.get(String((call as JsonObject)["id"])),
      ),
    ),
  ];
}

function toFunctionCall(call: ToolCall, path: FieldPath, calls: Map<string, string>, refuse: Refuse): Part {
  const { id, type = "function", function: called } = call as JsonObject;
  if (type !== "function") {
    refuse(path, `calls of type \`${String(type)}\` aren't supported`);
    return {};
  }
  dropOthers(call, CALL, path, refuse);
  const { name, arguments: words } = asObject(called) ?? {};
  calls.set(String(id), String(name));
  const args = argumentsOf(asText(words) ?? "");
  if (args === null) refuse([...path, "function", "arguments"], "must be a JSON object");
  return { functionCall: { id: String(id), name: String(name), args: args ?? {} } };
}

const argumentsOf = (words: string): JsonObject | null => (words.trim() === "" ? {} : asObject(jsonIn(words)));

function toFunctionResponse(
  message: ChatMessage & { role: "tool" },
  path: FieldPath,
  calls: ReadonlyMap<string, string>,
  refuse: Refuse,
): Part {
  const { content, tool_call_id: id } = message;
  const name = calls.get(id);
  if (name === undefined) refuse([...path, "tool_call_id"], "must be the id of an earlier tool call");
  const parts = partsOf(content, path, refuse);
  const media = parts.filter((part) => !("text" in part));
  const output = parts.flatMap((part) => asText(part["text"]) ?? []).join("\n");
  return { functionResponse: { id, name, response: { output }, ...(media.length > 0 && { parts: media }) } };
}

const partsOf = (content: string | readonly ChatContentPart[], path: FieldPath, refuse: Refuse): Part[] =>
  typeof content === "string"
    ? [{ text: content }]
    : content.map((part, index) => toPart(part, [...path, "content", index], refuse));

/** Parts with a counterpart, and the fields that are converted. */
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  text: new Set(["type", "text"]),
  image_url: new Set(["type", "image_url"]),
  file: new Set(["type", "file"]),
  video_url: new Set(["type", "video_url"]),
  input_audio: new Set(["type", "input_audio"]),
};
const IMAGE: ReadonlySet<string> = new Set(["url", "detail"]);
const FILE: ReadonlySet<string> = new Set(["filename", "file_data"]);
const RESOLUTIONS: Readonly<Record<string, string>> = {
  low: "MEDIA_RESOLUTION_LOW",
  medium: "MEDIA_RESOLUTION_MEDIUM",
  high: "MEDIA_RESOLUTION_HIGH",
};

function toPart(part: ChatContentPart, path: FieldPath, refuse: Refuse): Part {
  const known = PARTS[part.type];
  if (known) dropOthers(part, known, path, refuse);
  switch (part.type) {
    case "text":
      return { text: String(part["text"]) };
    case "image_url": {
      const image = asObject(part["image_url"]) ?? {};
      dropOthers(image, IMAGE, [...path, "image_url"], refuse);
      const level = RESOLUTIONS[asText(image["detail"]) ?? ""];
      const media = mediaPart(image["url"], [...path, "image_url", "url"], refuse);
      return level === undefined ? media : { ...media, mediaResolution: { level } };
    }
    case "file": {
      const file = asObject(part["file"]) ?? {};
      dropOthers(file, FILE, [...path, "file"], refuse);
      if (asText(file["file_id"]) !== null && !file["file_data"]) {
        refuse([...path, "file", "file_id"], "isn't supported: send the file's data");
        return {};
      }
      return mediaPart(file["file_data"], [...path, "file", "file_data"], refuse);
    }
    case "video_url":
      return mediaPart(asObject(part["video_url"])?.["url"], [...path, "video_url", "url"], refuse);
    case "input_audio": {
      const { data, format } = asObject(part["input_audio"]) ?? {};
      return { inlineData: { mimeType: `audio/${String(format)}`, data } };
    }
    default:
      refuse(path, `parts of type \`${part.type}\` aren't supported`);
      return {};
  }
}
