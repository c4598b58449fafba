import { apiQuery } from "@/lib/browser/api-query";
import { listGenerations } from "@/lib/browser/operations/generations";

/** Maximum number of requests that are shown. */
export const MOST_SHOWN = 100;

/** Field that the requests of a thread share; also the filter of the log. */
export type Thread = { session_id: string } | { trace_id: string };

/** The newest requests of a session or trace. */
export const threadQuery = (of: Thread) => apiQuery(listGenerations, { query: { ...of, limit: MOST_SHOWN } });
