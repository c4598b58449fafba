import type { ChatChunk } from "./chat-result-contract";

/** One event of a Responses stream, before it is numbered. */
export interface ResponseEvent {
  type: string;
  [field: string]: unknown;
}

/**
 * One part of an upstream's answer: what it says in the words of chat completions and, from a Responses upstream, the event
 * that said so.
 */
export type AnswerChunk = ChatChunk & { responseEvent?: ResponseEvent };

export type Delta = ChatChunk["choices"][number]["delta"];

/** Turns the JSON values of one upstream's answer into chunks. Throws `BrokenAnswer`. */
export interface AnswerReader {
  /** One event of a stream. */
  read: (event: unknown) => AnswerChunk[];
  /** An answer that isn't streamed. */
  readWhole: (body: unknown) => AnswerChunk[];
  /** The stream is over; `isMarked` when the upstream said so itself. */
  end: (isMarked: boolean) => AnswerChunk[];
  /** Nothing more belongs to the answer. */
  readonly isComplete: boolean;
}
