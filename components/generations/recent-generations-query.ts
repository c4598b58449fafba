import { apiQuery } from "@/lib/browser/api-query";
import { listGenerations } from "@/lib/browser/operations/generations";

const SHOWN = 10;

/** Newest generations of a key or member. */
export const recentGenerationsQuery = (of: { key_hash: string } | { user_id: string }) =>
  apiQuery(listGenerations, { query: { ...of, limit: SHOWN } });
