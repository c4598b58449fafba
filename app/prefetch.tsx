import { dehydrate, HydrationBoundary, QueryClient, type QueryExecuteOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { setTransport } from "@/lib/browser/api-query";
import { permits } from "@/lib/platform/grants";
import { localCall } from "@/lib/server/local-call";
import { signedInCaller } from "./signed-in-caller";

interface PrefetchProps {
  /** Queries of the initial view, identical to its components' queries. */
  queries: readonly Pick<QueryExecuteOptions, "queryKey" | "queryFn">[];
  children: ReactNode;
}

/** Skips operations that the member may not use: their denial would appear in the audit log. */
const permittedCall: typeof localCall = async (operation, input) => {
  const caller = await signedInCaller();
  if (operation.access === "management" && (!caller || !permits(caller, operation)))
    throw new Error(`${operation.id} requires ${operation.permission}`);
  return localCall(operation, input);
};

/** Prefetches a page's queries on the server. Failed ones are retried, and their errors shown, in the browser. */
export async function Prefetch({ queries, children }: PrefetchProps) {
  const client = new QueryClient();
  setTransport(client, permittedCall);
  await Promise.allSettled(queries.map((query) => client.query(query)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
