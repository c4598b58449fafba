import { asObject } from "../../platform/json-values";
import type { Protocol } from "../endpoint";
import { MESSAGES_TO_CHAT } from "./chat/from-messages";
import { RESPONSES_TO_CHAT } from "./chat/from-responses";
import { REASONING_EFFORTS, REASONING_SUMMARIES } from "./contracts/request-fields-contract";
import { CHAT_TO_RESPONSES } from "./responses/from-chat";

const KNOWN = {
  responses: RESPONSES_TO_CHAT,
  chat_completions: CHAT_TO_RESPONSES,
  messages: MESSAGES_TO_CHAT,
} as const satisfies Record<Protocol, object>;

/** Values of fields whose list grows, by the place of the field. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  reasoning_effort: REASONING_EFFORTS,
  "reasoning.effort": REASONING_EFFORTS,
  "reasoning.summary": REASONING_SUMMARIES,
  truncation: ["auto", "disabled"],
};

/** Returns the places of a request's values that Signalbox doesn't know: they pass to upstreams that may know them. */
export const unknownValues = (body: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(KNOWN_VALUES).flatMap(([place, known]) => {
    const [field = "", inner] = place.split(".");
    const value = inner === undefined ? body[field] : asObject(body[field])?.[inner];
    return typeof value === "string" && !known.includes(value) ? [place] : [];
  });

/** Returns the names of a request's fields that Signalbox doesn't know: they pass to upstreams of the same protocol. */
export const unknownFields = (protocol: Protocol, body: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(body).filter((name) => body[name] !== undefined && !Object.hasOwn(KNOWN[protocol], name));
