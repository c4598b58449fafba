/** A field's errors as nested by react-hook-form: one message, or messages per entry or property. */
interface NestedError {
  message?: unknown;
  root?: NestedError;
}

export interface ListErrors {
  messages: string[];
  /** Indices of invalid entries. */
  entries: number[];
}

/** Properties of an error that belong to no entry: the error of the whole list, and the control. */
const OWN = new Set(["root", "ref"]);

/** Error messages of a field, and of the entries and properties of its value. */
export function listErrors(error: unknown): ListErrors {
  if (typeof error !== "object" || error === null) return { messages: [], entries: [] };
  const { message, root } = error as NestedError;
  const own = [message, root?.message].filter((text): text is string => typeof text === "string" && text !== "");
  const nested = Object.entries(error)
    .filter(([name]) => !OWN.has(name))
    .map(([name, entry]) => ({ name, messages: fieldErrors(entry) }))
    .filter(({ messages }) => messages.length > 0);
  return {
    messages: [...new Set([...own, ...nested.flatMap(({ messages }) => messages)])],
    entries: Array.isArray(error) ? nested.map(({ name }) => Number(name)) : [],
  };
}

export const fieldErrors = (error: unknown): string[] => listErrors(error).messages;
