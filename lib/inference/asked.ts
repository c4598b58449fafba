import type { ChatCompletionsBody, ResponsesBody } from "./contract";

/** What a caller asks, in the protocol that it speaks. */
export type Asked =
  { protocol: "responses"; body: ResponsesBody } | { protocol: "chat_completions"; body: ChatCompletionsBody };
