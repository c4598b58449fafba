import type { Protocol } from "../endpoint";
import { MESSAGES_TO_CHAT } from "./chat/from-messages";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";

const KNOWN = {
  responses: RESPONSES_TO_CHAT,
  chat_completions: CHAT_TO_RESPONSES,
  messages: MESSAGES_TO_CHAT,
} as const satisfies Record<Protocol, object>;

/** Returns the unknown fields of a request, which pass to upstreams of the same protocol. */
export const unknownFields = (protocol: Protocol, body: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(body).filter((name) => body[name] !== undefined && !Object.hasOwn(KNOWN[protocol], name));
