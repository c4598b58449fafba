import type { ChatCompletionsBody } from "./contracts/chat-request-contract";
import type { ResponsesBody } from "./contracts/responses-request-contract";
import type { MessagesBody } from "./contracts/messages-request-contract";

/** An inference request together with the protocol it uses. */
export type InferenceRequest =
  | { protocol: "responses"; body: ResponsesBody }
  | { protocol: "chat_completions"; body: ChatCompletionsBody }
  | { protocol: "messages"; body: MessagesBody };
