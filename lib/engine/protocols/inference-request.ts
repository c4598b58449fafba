import type { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import type { MessagesBody } from "./contracts/messages-request-contract";

/** An inference request together with the protocol it uses. */
export type InferenceRequest =
  | { protocol: "responses"; body: ResponsesBody }
  | { protocol: "chat_completions"; body: ChatCompletionsBody }
  | { protocol: "messages"; body: MessagesBody };
