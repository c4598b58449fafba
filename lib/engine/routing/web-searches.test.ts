import { expect, it } from "vitest";
import { withWebSearches } from "./web-searches";

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
