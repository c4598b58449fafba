import type { JsonObject } from "../../platform/json-values";
import type { ChatChunk, ChatUsage } from "./contracts/chat-result-contract";

/** An event of a Responses stream, without its sequence number. */
export interface ResponseEvent {
  type: string;
  [field: string]: unknown;
}

/** An event of a Messages stream. */
export interface MessageEvent {
  type: string;
  [field: string]: unknown;
}

/**
 * One piece of an upstream's answer as a chat completion chunk, with the source event when the upstream speaks
 * Responses or Messages. A complete answer of such an upstream is read as the events of its stream.
 */
export type ResponseChunk = ChatChunk & {
  responseEvent?: ResponseEvent;
  messageEvent?: MessageEvent;
  /** The body of a whole answer of an upstream that speaks Chat Completions, as sent. */
  sentCompletion?: JsonObject;
  /** Contents as lists of parts, by choice index; `content` has their text. */
  contentLists?: ReadonlyMap<number, readonly unknown[]>;
  /** Usage that an upstream reports before the end, such as the prompt's tokens. */
  usageSoFar?: ChatUsage | null;
};

export type Delta = ChatChunk["choices"][number]["delta"];

/** Fields of a chunk that carry what the upstream sent; they aren't part of a chat completion. */
export const SOURCE_FIELDS = ["responseEvent", "messageEvent", "sentCompletion", "contentLists", "usageSoFar"] as const;

/** Converts the JSON values of an upstream's answer to chunks. Throws `BrokenResponse`. */
export interface UpstreamReader {
  /** Reads one event of a stream. */
  read: (event: unknown) => ResponseChunk[];
  /** Reads an answer that isn't streamed. */
  readWhole: (body: unknown) => ResponseChunk[];
  /** Ends the answer; `isMarked` when the upstream sent an explicit end marker. */
  end: (isMarked: boolean) => ResponseChunk[];
  /** True when no further event can belong to the answer. */
  readonly isComplete: boolean;
  /** True while the answer may be complete. More may follow, but the wait for it is short. */
  readonly isEnding?: boolean;
}
