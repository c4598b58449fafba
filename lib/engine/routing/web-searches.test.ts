import { expect, it } from "vitest";
import type { InferenceRequest } from "../protocols/inference-request";
import { MOST_COUNTED } from "../protocols/read-usage";
import { maxWebSearches, withWebSearches } from "./web-searches";

const usage = { prompt_tokens: 1, completion_tokens: 1 };
const call = (action?: object) => ({
  type: "web_search_call",
  id: "ws",
  status: "completed",
  ...(action && { action }),
});

it.each<[string, unknown, number | undefined]>([
  ["no output", undefined, undefined],
  ["an output without searches", [{ type: "message" }], undefined],
  ["searches", [call({ type: "search", query: "a" }), call()], 2],
  ["an opened page", [call({ type: "search", query: "a" }), call({ type: "open_page", url: "https://a.example" })], 1],
])("the usage of %s", (_name, output, searches) => {
  const server_tool_use = searches === undefined ? undefined : { web_search_requests: searches };
  expect(withWebSearches(usage, output).server_tool_use).toEqual(server_tool_use);
});

it.each<[string, unknown[], number]>([
  ["a tool without a limit", [undefined], 10],
  ["limits of several tools", [2, 3], 5],
  ["a negative limit", [3, -1_000_000], 3],
  ["a fractional limit", [1.5], 2],
  ["a limit that is no count", [Number.MAX_SAFE_INTEGER], MOST_COUNTED],
])("the most searches of %s", (_name, limits, searches) => {
  const tools = limits.map((max_uses) => ({ type: "web_search_20250305", name: "web_search", max_uses }));
  expect(maxWebSearches({ protocol: "messages", body: { tools } } as unknown as InferenceRequest)).toBe(searches);
});
