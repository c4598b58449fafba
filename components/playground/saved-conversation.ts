import type { Generation } from "@/lib/records/generations/contract";
import type { Answer, Turn } from "./conversation";

/** Largest conversation that is kept, in characters. */
const MOST = 200_000;

const storedAs = (userId: string, side: string) => `signalbox.playground.${userId}.${side}`;

/** What a tab keeps of a conversation. */
export interface SavedConversation {
  systemPrompt: string;
  turns: readonly Turn[];
}

/** Conversations of this page load. A sign-in or sign-out reloads the page. */
const inMemory = new Map<string, SavedConversation>();

/** Keeps a conversation until the page is reloaded. */
export const keepInMemory = (userId: string, side: string, saved: SavedConversation): void => {
  inMemory.set(storedAs(userId, side), saved);
};

const HIDING = ["block", "redact"];

/** True if the log may show a request as it was sent: its content is stored, and no rule hides a part of it. */
export const isShown = ({ content_stored, decisions }: Pick<Generation, "content_stored" | "decisions">): boolean =>
  content_stored && decisions.every(({ action }) => !HIDING.includes(action));

/** Converts a failure, which may be an error object, to plain values. */
const plain = (turn: Turn): Turn =>
  turn.role !== "assistant" || turn.failure === null ? turn : { ...turn, failure: pickFailure(turn.failure) };

const pickFailure = ({ status, issues, requestId, message }: NonNullable<Answer["failure"]>) => ({
  status,
  issues,
  requestId,
  message,
});

const textOf = ({ systemPrompt, turns }: SavedConversation) =>
  JSON.stringify({ systemPrompt, turns: turns.map(plain) });

/** Keeps a conversation in this tab until it is closed, over reloads. Returns false if it is too long. */
export function saveConversation(userId: string, side: string, saved: SavedConversation): boolean {
  const text = textOf(saved);
  if (text.length > MOST) return false;
  try {
    window.sessionStorage.setItem(storedAs(userId, side), text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the conversation that this page load or tab keeps, or null. */
export function savedConversation(userId: string, side: string): SavedConversation | null {
  const key = storedAs(userId, side);
  const text = window.sessionStorage.getItem(key);
  return inMemory.get(key) ?? (text === null ? null : (JSON.parse(text) as SavedConversation));
}

/** True if a reload keeps this conversation. */
export const isSaved = (userId: string, side: string, conversation: SavedConversation): boolean =>
  window.sessionStorage.getItem(storedAs(userId, side)) === textOf(conversation);

export function forgetConversation(userId: string, side: string): void {
  inMemory.delete(storedAs(userId, side));
  window.sessionStorage.removeItem(storedAs(userId, side));
}
