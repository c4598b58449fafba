/** Narrows `@openrouter/sdk`'s response type to whole or streamed. */
export function whole<T extends object>(answer: T): Exclude<T, AsyncIterable<unknown>> {
  if (Symbol.asyncIterator in answer) throw new Error("expected a whole answer");
  return answer as Exclude<T, AsyncIterable<unknown>>;
}

export function streamed<T extends object>(answer: T): Extract<T, AsyncIterable<unknown>> {
  if (!(Symbol.asyncIterator in answer)) throw new Error("expected a stream");
  return answer as Extract<T, AsyncIterable<unknown>>;
}
