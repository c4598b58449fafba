import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { mergeChatCompletions, mergeResponses } from "./merge";

type Given = z.input<typeof ResponsesBody>;
type Chat = Partial<z.input<typeof ChatCompletionsBody>>;

const function_ = (name: string, description: string) => ({ type: "function" as const, name, description });
const inChat = (name: string, description: string) => ({ type: "function" as const, function: { name, description } });
const preset = (given: Given) => ResponsesBody.parse(given);
const responses = (stored: Given, request: Given) =>
  mergeResponses(preset(stored), ResponsesBody.parse({ input: "hi", ...request }));
const user = { role: "user" as const, content: "hi" };
const chat = (stored: Given, request: Chat) =>
  mergeChatCompletions(preset(stored), ChatCompletionsBody.parse({ messages: [user], ...request }));

describe("mergeResponses", () => {
  it.each<[rule: string, stored: Given, request: Given, merged: Record<string, unknown>]>([
    [
      "the preset fills in missing fields",
      { model: "a/b", temperature: 0.2 },
      { top_p: 1 },
      { model: "a/b", temperature: 0.2, top_p: 1 },
    ],
    [
      "the request takes precedence",
      { model: "a/b", temperature: 0.2 },
      { model: "c/d", temperature: 0 },
      { model: "c/d", temperature: 0 },
    ],
    ["null takes precedence, too", { temperature: 0.2 }, { temperature: null }, { temperature: null }],
    [
      "a field is replaced as a whole, without deep merging",
      { provider: { only: ["a"], zdr: true } },
      { provider: { sort: "price" } },
      { provider: { sort: "price" } },
    ],
    ["lists other than tools are replaced as a whole", { models: ["a/b"] }, { models: ["c/d"] }, { models: ["c/d"] }],
    ["only the preset's instructions", { instructions: "Be brief." }, {}, { instructions: "Be brief." }],
    ["only the request's instructions", {}, { instructions: "In German." }, { instructions: "In German." }],
    [
      "the preset's instructions come first",
      { instructions: "Be brief." },
      { instructions: "In German." },
      { instructions: "Be brief.\n\nIn German." },
    ],
    ["no instructions stay null", {}, { instructions: null }, { instructions: null }],
    ["only the preset's tools", { tools: [{ type: "web_search" }] }, {}, { tools: [{ type: "web_search" }] }],
    [
      "an empty list of tools adds none",
      { tools: [{ type: "web_search" }] },
      { tools: [] },
      { tools: [{ type: "web_search" }] },
    ],
    [
      "functions are merged by name: the request's replace the preset's, then additional ones follow",
      { tools: [function_("a", "preset"), function_("b", "preset")] },
      { tools: [function_("c", "request"), function_("a", "request")] },
      { tools: [function_("a", "request"), function_("b", "preset"), function_("c", "request")] },
    ],
    [
      "server tools are merged by type",
      { tools: [{ type: "web_search", max_results: 1 }, { type: "local_shell" }] },
      { tools: [{ type: "web_search", max_results: 9 }] },
      { tools: [{ type: "web_search", max_results: 9 }, { type: "local_shell" }] },
    ],
    [
      "advisors by name",
      {
        tools: [
          { type: "service:advisor", parameters: { name: "x", model: "a/b" } },
          { type: "service:advisor", parameters: { name: "y" } },
        ],
      },
      { tools: [{ type: "service:advisor", parameters: { name: "x" } }] },
      {
        tools: [
          { type: "service:advisor", parameters: { name: "x" } },
          { type: "service:advisor", parameters: { name: "y" } },
        ],
      },
    ],
    [
      "MCP servers by label",
      { tools: [{ type: "mcp", server_label: "x" }] },
      { tools: [{ type: "mcp", server_label: "y" }] },
      {
        tools: [
          { type: "mcp", server_label: "x" },
          { type: "mcp", server_label: "y" },
        ],
      },
    ],
    [
      "a tool and a function with one name are different",
      { tools: [function_("x", "preset")] },
      { tools: [{ type: "custom", name: "x" }] },
      { tools: [function_("x", "preset"), { type: "custom", name: "x" }] },
    ],
    [
      "duplicates in the request are kept; the first one replaces the preset's",
      { tools: [function_("x", "preset")] },
      { tools: [function_("x", "one"), function_("x", "two")] },
      { tools: [function_("x", "one"), function_("x", "two")] },
    ],
  ])("%s", (_rule, stored, request, merged) => {
    expect(responses(stored, request)).toEqual({ input: "hi", stream: false, store: false, ...merged });
  });
});

describe("mergeChatCompletions: preset fields under chat completions names", () => {
  it.each<[rule: string, stored: Given, request: Chat, merged: Record<string, unknown>]>([
    [
      "shared names",
      { model: "a/b", temperature: 0.2, provider: { zdr: true } },
      {},
      { model: "a/b", temperature: 0.2, provider: { zdr: true } },
    ],
    ["max_output_tokens", { max_output_tokens: 9 }, {}, { max_tokens: 9 }],
    ["max_output_tokens against max_tokens", { max_output_tokens: 9 }, { max_tokens: 5 }, { max_tokens: 5 }],
    [
      "max_output_tokens against max_completion_tokens",
      { max_output_tokens: 9 },
      { max_completion_tokens: 5 },
      { max_completion_tokens: 5 },
    ],
    [
      "reasoning against reasoning_effort",
      { reasoning: { effort: "high" } },
      { reasoning_effort: "low" },
      { reasoning_effort: "low" },
    ],
    [
      "reasoning against no reasoning_effort",
      { reasoning: { effort: "high" } },
      { reasoning_effort: null },
      { reasoning: { effort: "high" }, reasoning_effort: null },
    ],
    [
      "text.format",
      { text: { format: { type: "json_schema", name: "n", schema: { type: "object" } } } },
      {},
      { response_format: { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } } },
    ],
    [
      "text.format against response_format",
      { text: { format: { type: "json_object" } } },
      { response_format: { type: "text" } },
      { response_format: { type: "text" } },
    ],
    [
      "tool_choice",
      { tool_choice: { type: "function", name: "f" } },
      {},
      { tool_choice: { type: "function", function: { name: "f" } } },
    ],
    ["fields that chat completions lacks", { max_tool_calls: 3, truncation: "auto" }, {}, {}],
    [
      "tools are merged in chat completions format",
      { tools: [function_("a", "preset"), function_("b", "preset"), { type: "web_search" }] },
      { tools: [inChat("b", "request"), inChat("c", "request")] },
      { tools: [inChat("a", "preset"), inChat("b", "request"), { type: "web_search" }, inChat("c", "request")] },
    ],
    [
      "the system prompt comes first",
      { instructions: "Be brief." },
      {},
      { messages: [{ role: "system", content: "Be brief." }, user] },
    ],
    [
      "the system prompt comes before the request's own",
      { instructions: "Be brief." },
      { messages: [{ role: "system", content: "In German." }, user] },
      { messages: [{ role: "system", content: "Be brief." }, { role: "system", content: "In German." }, user] },
    ],
  ])("%s", (_rule, stored, request, merged) => {
    expect(chat(stored, request)).toEqual({ messages: [user], stream: false, ...merged });
  });

  it("keeps the request's stream setting", () =>
    expect(chat({ model: "a/b" }, { stream: true })).toMatchObject({ stream: true }));
});
