import type { Protocol } from "../../engine/endpoint";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { PresetConfig, type KeptAndIgnored } from "./contract";
import { settingsFromMessages } from "./settings";

type Body = Readonly<Record<string, unknown>>;
type Ignored = KeptAndIgnored["ignored"][number];

interface Format {
  name: string;
  /** All fields of the format. */
  fields: ReadonlySet<string>;
  /** Fields that a preset stores under another name. */
  renamed: ReadonlySet<string>;
}

const fieldsOf = (schema: { shape: object }): ReadonlySet<string> => new Set(Object.keys(schema.shape));

const FORMATS: Readonly<Record<Protocol, Format>> = {
  responses: { name: "Responses", fields: fieldsOf(ResponsesBody), renamed: new Set(["instructions"]) },
  chat_completions: {
    name: "Chat Completions",
    fields: fieldsOf(ChatCompletionsBody),
    renamed: new Set(["max_tokens", "max_completion_tokens", "reasoning_effort", "response_format"]),
  },
  messages: {
    name: "Messages",
    fields: fieldsOf(MessagesBody),
    renamed: new Set(["max_tokens", "output_config", "output_format", "system", "thinking"]),
  },
};
const SETTINGS = fieldsOf(PresetConfig);

/** Fields overridden by another field of the same request. */
const OVERRULED_BY: Readonly<Record<string, string>> = {
  max_tokens: "max_completion_tokens",
  reasoning_effort: "reasoning",
};

/** Splits the fields of a validated body into stored and ignored ones, with reasons. False flags are omitted. */
export function splitPersistedFields(protocol: Protocol, body: Body): KeptAndIgnored {
  const given = Object.keys(body).filter(
    (field) => body[field] !== undefined && !(body[field] === false && (field === "stream" || field === "store")),
  );
  const whole = given.flatMap((field) =>
    reasonsOf(protocol, body, field).map((reason): Ignored => ({ path: [field], reason })),
  );
  const ignored = [...whole, ...(protocol === "messages" ? partsOf(body, whole) : [])];
  const dropped = new Set(ignored.flatMap(({ path }) => (path.length === 1 ? path : [])));
  // Of a conversation, only the system messages are stored.
  if (protocol === "chat_completions" && systemMessages(body).length > 0) dropped.delete("messages");
  return { kept: given.filter((field) => !dropped.has(field)), ignored };
}

/** Returns the parts of a Messages body's fields that a preset can't store. */
function partsOf(body: Body, whole: readonly Ignored[]): Ignored[] {
  const parts: Ignored[] = [];
  settingsFromMessages(body as MessagesBody, (path, reason) => parts.push({ path: [...path], reason }));
  return parts.filter(({ path: [field] }) => !whole.some(({ path: [other] }) => other === field));
}

function reasonsOf(protocol: Protocol, body: Body, field: string): string[] {
  const { fields, renamed } = FORMATS[protocol];
  if (field === "messages" && protocol === "chat_completions") return messageReasons(body);
  if (!fields.has(field)) return [foreignReason(protocol, field)];
  if (body[field] === null) return ["null has nothing to store"];
  const winner = protocol === "chat_completions" ? OVERRULED_BY[field] : undefined;
  if (winner && (body[winner] ?? null) !== null) return [`is overridden by ${winner}`];
  if (field === "output_format" && (body as MessagesBody).output_config?.format)
    return ["is overridden by output_config"];
  return SETTINGS.has(field) || renamed.has(field) ? [] : ["applies to a single request, not to a preset"];
}

function foreignReason(protocol: Protocol, field: string): string {
  const others = Object.values(FORMATS).filter(({ fields }) => fields.has(field));
  const names = others.map(({ name }) => name).join(" and ");
  return names === "" ? "unknown field" : `is a field of ${names}, not of ${FORMATS[protocol].name}`;
}

const messagesOf = (body: Body) => body["messages"] as ChatCompletionsBody["messages"];

const systemMessages = (body: Body) => messagesOf(body).filter(({ role }) => role === "system" || role === "developer");

function messageReasons(body: Body): string[] {
  const dropped = messagesOf(body).length - systemMessages(body).length;
  if (dropped === 0) return [];
  return [
    `${dropped === 1 ? "1 message is" : `${dropped} messages are`} not stored: only system and developer messages become the system prompt`,
  ];
}
