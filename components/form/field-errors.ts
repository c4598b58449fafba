/** A field's errors as nested by react-hook-form: one message, or messages per list entry. */
interface NestedError {
  message?: unknown;
  root?: NestedError;
}

export interface ListErrors {
  messages: string[];
  /** Indices of invalid entries. */
  entries: number[];
}

/** Error messages of a field and its entries. */
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
