import { apiQuery } from "@/lib/browser/api-query";
import { listGenerations } from "@/lib/browser/operations/generations";

/** Maximum number of requests that are shown. */
export const MOST_SHOWN = 100;

/** The newest requests of a session. */
export const sessionThreadQuery = (sessionId: string) =>
  apiQuery(listGenerations, { query: { session_id: sessionId, limit: MOST_SHOWN } });
