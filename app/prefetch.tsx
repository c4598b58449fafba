import { dehydrate, HydrationBoundary, QueryClient, type QueryExecuteOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setTransport } from "@/lib/browser/api-query";
import { localCall } from "@/lib/server/local-call";

interface PrefetchProps {
  /** Queries of the initial view, identical to those of its components. */
  queries: readonly Pick<QueryExecuteOptions, "queryKey" | "queryFn">[];
  children: ReactNode;
}

/** Prefetches a page's queries on the server. Failed ones are retried, and their errors shown, in the browser. */
export async function Prefetch({ queries, children }: PrefetchProps) {
  const client = new QueryClient();
  setTransport(client, localCall);
  await Promise.allSettled(queries.map((query) => client.query(query)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
