import { queryOptions, type MutationFunctionContext, type QueryClient } from "@tanstack/react-query";
import type { Callable } from "../platform/http/operation";
import { call, type Answer, type CallInput } from "./api-client";

export type Transport = typeof call;
const transports = new WeakMap<QueryClient, Transport>();

/** Replaces a client's transport: during server rendering, operations are called in process. */
export const setTransport = (client: QueryClient, transport: Transport): unknown => transports.set(client, transport);

/** Returns a client's transport, for queries that `apiQuery` doesn't support, such as infinite ones. */
export const transportOf = (client: QueryClient): Transport => transports.get(client) ?? call;

/**
 * Builds query options of an operation for `useQuery`, prefetching and invalidation; the key starts with the
 * operation's id.
 */
export const apiQuery = <O extends Callable>(operation: O, input: CallInput<O>) =>
  queryOptions<Answer<O>>({
    queryKey: [operation.id, input],
    queryFn: ({ signal, client }) => transportOf(client)(operation, { ...input, signal } as CallInput<O>),
  });

/** Invalidates all queries of these operations. */
export const invalidate = (client: QueryClient, ...operations: readonly Callable[]): Promise<unknown> =>
  Promise.all(operations.map(({ id }) => client.invalidateQueries({ queryKey: [id] })));

/** Returns an `onSuccess` for mutations that refetches the queries of these operations. */
export const reload =
  (...operations: readonly Callable[]) =>
  (_data: unknown, _variables: unknown, _result: unknown, { client }: MutationFunctionContext): Promise<unknown> =>
    invalidate(client, ...operations);
