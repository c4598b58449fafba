import type { MessagesBlock } from "../contracts/messages-blocks-contract";
import type { MessagesMessage } from "../contracts/messages-request-contract";
import type { Draft } from "../field-rules";
import { foreignReasoning } from "./sealed-thinking";

/** True for reasoning of other models, which a Messages upstream can't verify and rejects. */
const isForeign = (block: MessagesBlock): boolean =>
  (block.type === "thinking" && !block["signature"]) ||
  (block.type === "redacted_thinking" && foreignReasoning(String(block["data"])) !== null);

/** Returns the caller's own fields for a Messages upstream. */
export function ownMessages(draft: Draft): Draft {
  const messages = draft["messages"] as readonly MessagesMessage[];
  const hasForeign = ({ content }: MessagesMessage) => Array.isArray(content) && content.some(isForeign);
  if (!messages.some(hasForeign)) return draft;
  return {
    ...draft,
    messages: messages.flatMap((message): MessagesMessage[] => {
      if (!hasForeign(message)) return [message];
      const content = (message.content as MessagesBlock[]).filter((block) => !isForeign(block));
      return content.length > 0 ? [{ ...message, content }] : [];
    }),
  };
}
