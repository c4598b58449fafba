import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Callable } from "../platform/http/operation";
import { call, type Answer, type CallInput } from "./api-client";

type Transport = typeof call;
const transports = new WeakMap<QueryClient, Transport>();

/** Has a client's queries reach the API by other means than the network: inside the process, while a page is made on the server. */
export const setTransport = (client: QueryClient, transport: Transport): unknown => transports.set(client, transport);

/** How a client's own readings reach the API, for those that `apiQuery` can't say: page after page. */
export const transportOf = (client: QueryClient): Transport => transports.get(client) ?? call;

/** The reading of one operation, for `useQuery`, prefetching and invalidation alike; its key begins with the operation's id. */
export const apiQuery = <O extends Callable>(operation: O, input: CallInput<O>) =>
  queryOptions<Answer<O>>({
    queryKey: [operation.id, input],
    queryFn: ({ signal, client }) => transportOf(client)(operation, { ...input, signal } as CallInput<O>),
  });

/** Has everything that these operations answered asked for again. */
export const invalidate = (client: QueryClient, ...operations: readonly Callable[]): Promise<unknown> =>
  Promise.all(operations.map(({ id }) => client.invalidateQueries({ queryKey: [id] })));
