import type { ChatMessage } from "../../engine/protocols/contracts/chat-messages-contract";
import { messagesOf } from "../../engine/routing/request-size";
import type { Verdict } from "../decide-service";

/** The prompt of a generation as it is stored. */
export interface StoredPrompt {
  /** The messages as sent upstream, or as they would have been sent, with labels in place of blocked text. */
  messages: readonly ChatMessage[];
  /**
   * The messages with the blocked text, for readers who give a reason; null if nothing was blocked, or something was
   * redacted too.
   */
  blocked: readonly ChatMessage[] | null;
}

/** Replaces a message that a check blocked, since the part at fault is unknown. */
export const BLOCKED_MESSAGE = "[BLOCKED]";

/**
 * Returns the stored form of a request's prompt; null if it couldn't be scanned. Text to be redacted is never stored,
 * so a request that was also blocked is stored with labels only.
 */
export function storedPrompt({ request, original, denial, findings }: Verdict): StoredPrompt | null {
  if (denial?.kind === "unscanned") return null;
  const messages = messagesOf(request);
  if (denial?.kind === "check") return { messages: messages.map(withheld), blocked: messages };
  const isRedacted = findings.some(({ rule, exception }) => rule.action === "redact" && !exception);
  return { messages, blocked: denial?.kind === "content" && !isRedacted ? messagesOf(original) : null };
}

/** Returns a message without its content. Tool results count as the user's. */
const withheld = ({ role }: ChatMessage): ChatMessage => ({
  role: role === "tool" || role === "function" ? "user" : role,
  content: BLOCKED_MESSAGE,
});
