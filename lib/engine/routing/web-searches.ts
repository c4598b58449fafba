import { asObject, asObjects } from "../../platform/json-values";
import type { InferenceRequest } from "../protocols/inference-request";
import { MOST_COUNTED } from "../protocols/read-usage";
import type { BilledUsage } from "./price";

/** Number of searches reserved for a tool without a limit. */
const DEFAULT_SEARCHES = 10;

/** Returns the maximum number of web searches of a request; a tool without a limit counts with a default. */
export function maxWebSearches({ protocol, body }: InferenceRequest): number {
  const limit = (protocol === "responses" ? body.max_tool_calls : null) ?? DEFAULT_SEARCHES;
  const tools = asObjects(body.tools).filter(({ type }) => String(type).includes("web_search"));
  const isSearchModel = protocol === "chat_completions" && (body.web_search_options ?? null) !== null;
  const searches = tools.reduce(
    (sum, tool) => {
      const most = tool["max_uses"] ?? asObject(tool["parameters"])?.["max_uses"];
      return sum + (typeof most === "number" ? Math.max(0, Math.ceil(most)) : limit);
    },
    isSearchModel ? limit : 0,
  );
  return Math.min(MOST_COUNTED, searches);
}

/** Adds the number of web searches in a Responses upstream's output to the usage; opened pages aren't searches. */
export function withWebSearches(usage: BilledUsage, output: unknown): BilledUsage {
  const searches = asObjects(output).filter(
    ({ type, action }) => type === "web_search_call" && (asObject(action)?.["type"] ?? "search") === "search",
  ).length;
  return searches > 0 ? { ...usage, server_tool_use: { web_search_requests: searches } } : usage;
}
