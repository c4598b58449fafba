import { dehydrate, HydrationBoundary, QueryClient, type QueryExecuteOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setTransport } from "@/lib/browser/api-query";
import { localCall } from "@/lib/server/local-call";

interface PrefetchProps {
  /** The readings that the page shows first, as its components ask for them. */
  queries: readonly Pick<QueryExecuteOptions, "queryKey" | "queryFn">[];
  children: ReactNode;
}

/** Has the first data of a page ready in its HTML. What fails here is asked for again, and its failure shown, by the page itself. */
export async function Prefetch({ queries, children }: PrefetchProps) {
  const client = new QueryClient();
  setTransport(client, localCall);
  await Promise.allSettled(queries.map((query) => client.query(query)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
