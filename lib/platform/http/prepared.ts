/** A service with slow work that must not run in a transaction. */
export interface Preparing<C, I, P> {
  readonly prepare: (context: C, input: I) => Promise<P>;
}

/**
 * Splits a service into slow work (hashing, scans, requests), which runs before any transaction, and `act`, which
 * changes data. With an Idempotency-Key, only `act` runs in the transaction that stores the response.
 */
export const prepared = <C, I, P extends object, R>(
  prepare: (context: C, input: I) => Promise<P>,
  act: (context: C, input: I, ready: P) => Promise<R>,
): ((context: C, input: I, ready?: P) => Promise<R>) & Preparing<C, I, P> =>
  Object.assign(
    async (context: C, input: I, ready?: P) => act(context, input, ready ?? (await prepare(context, input))),
    {
      prepare,
    },
  );
