/** A field's errors as react-hook-form nests them: a message, or messages of the entries of a list. */
interface NestedError {
  message?: unknown;
  root?: NestedError;
}

export interface ListErrors {
  messages: string[];
  /** Positions of the entries that are wrong. */
  entries: number[];
}

/** Everything that a field and its entries are wrong in. */
export function listErrors(error: unknown): ListErrors {
  if (typeof error !== "object" || error === null) return { messages: [], entries: [] };
  const { message, root } = error as NestedError;
  const own = [message, root?.message].filter((text): text is string => typeof text === "string" && text !== "");
  const nested = Array.isArray(error)
    ? error.map((entry, index) => ({ index, messages: listErrors(entry).messages }))
    : [];
  const entries = nested.filter(({ messages }) => messages.length > 0);
  return {
    messages: [...new Set([...own, ...entries.flatMap(({ messages }) => messages)])],
    entries: entries.map(({ index }) => index),
  };
}

export const fieldErrors = (error: unknown): string[] => listErrors(error).messages;
