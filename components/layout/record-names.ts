import type { QueryClient, QueryFunctionContext } from "@tanstack/react-query";
import { transportOf } from "@/lib/browser/api-query";
import type { RecordSource } from "./record-sources";

/** Query of a record's label. */
export const recordNameQuery = ({ id, name }: RecordSource, value: string) => ({
  queryKey: ["record-name", id, value] as const,
  queryFn: ({ client }: Pick<QueryFunctionContext, "client">) => name(value, transportOf(client)),
  staleTime: Infinity,
  retry: false,
});

/** Searches records and caches their labels. */
export async function findRecords(
  client: QueryClient,
  source: RecordSource,
  q: string,
  workspace: string | null = null,
) {
  const found = await source.find(q, workspace);
  for (const { value, label } of found) client.setQueryData(recordNameQuery(source, value).queryKey, label);
  return found;
}
