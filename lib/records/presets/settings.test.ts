import { describe, expect, it } from "vitest";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { PresetConfig, PresetSlug } from "./contract";
import { mergeMessages } from "./merge";
import { settingsFromChatCompletions, settingsFromMessages, settingsFromResponses } from "./settings";

describe("settingsFromResponses: «Only the fields that overlap with the preset configuration are persisted»", () => {
  it("stores the configuration and drops everything else", () => {
    const body = ResponsesBody.parse({
      model: "m",
      models: ["m", "n"],
      input: "dropped",
      stream: true,
      metadata: { dropped: "yes" },
      temperature: 0.5,
      top_p: null,
      provider: { order: ["a"] },
      tools: [{ type: "service:web_search" }],
      instructions: "Be kind.",
      unknown_field: 1,
    });
    expect(settingsFromResponses(body)).toEqual({
      config: {
        model: "m",
        models: ["m", "n"],
        temperature: 0.5,
        provider: { order: ["a"] },
        tools: [{ type: "service:web_search" }],
      },
      systemPrompt: "Be kind.",
    });
  });

  it("has an empty prompt when instructions are missing or null", () => {
    expect(settingsFromResponses(ResponsesBody.parse({})).systemPrompt).toBe("");
    expect(settingsFromResponses(ResponsesBody.parse({ instructions: null })).systemPrompt).toBe("");
  });
});

describe("settingsFromChatCompletions", () => {
  it("uses the system messages as the prompt, and Responses names", () => {
    const body = ChatCompletionsBody.parse({
      model: "m",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "dropped" },
        { role: "developer", content: [{ type: "text", text: "Be brief." }] },
      ],
      max_tokens: 100,
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "n", schema: {} } },
      tools: [{ type: "function", function: { name: "f", parameters: {} } }],
      tool_choice: { type: "function", function: { name: "f" } },
      stop: ["dropped"],
    });
    const { config, systemPrompt } = settingsFromChatCompletions(body);
    expect(systemPrompt).toBe("Be kind.\n\nBe brief.");
    expect(config).toEqual({
      model: "m",
      max_output_tokens: 100,
      reasoning: { effort: "low" },
      text: { format: { type: "json_schema", name: "n", schema: {} } },
      tools: [{ type: "function", name: "f", parameters: {} }],
      tool_choice: { type: "function", name: "f" },
    });
    expect(PresetConfig.safeParse(config).error?.issues ?? []).toEqual([]);
  });
});

describe("settingsFromMessages", () => {
  const messages = [{ role: "user", content: "dropped" }];
  const schema = { type: "object", properties: {} };

  it.each<[name: string, body: object, config: object]>([
    ["the limit of tokens", { max_tokens: 100 }, { max_output_tokens: 100 }],
    ["shared names", { temperature: 0, top_k: 4, models: ["n"] }, { temperature: 0, top_k: 4, models: ["n"] }],
    [
      "a budget of thinking",
      { thinking: { type: "enabled", budget_tokens: 2048 } },
      { reasoning: { max_tokens: 2048 } },
    ],
    [
      "an effort beside a budget",
      { thinking: { type: "enabled", budget_tokens: 2048 }, output_config: { effort: "max" } },
      { reasoning: { max_tokens: 2048, effort: "max" } },
    ],
    ["adaptive thinking", { thinking: { type: "adaptive" } }, { reasoning: { enabled: true } }],
    ["disabled thinking", { thinking: { type: "disabled" } }, { reasoning: { effort: "none" } }],
    ["an effort", { output_config: { effort: "low" } }, { reasoning: { effort: "low" } }],
    [
      "a format",
      { output_config: { format: { type: "json_schema", schema } } },
      { text: { format: { type: "json_schema", name: "answer", schema, strict: true } } },
    ],
    ["a tier of service", { service_tier: "standard_only" }, { service_tier: "default" }],
    [
      "caching",
      { cache_control: { type: "ephemeral", ttl: "1h" } },
      { cache_control: { type: "ephemeral", ttl: "1h" } },
    ],
    [
      "tools",
      {
        tools: [
          { name: "f", description: "d", input_schema: schema, strict: true },
          { type: "web_search_20250305", name: "web_search", max_uses: 2 },
        ],
      },
      {
        tools: [
          { type: "function", name: "f", description: "d", parameters: schema, strict: true },
          { type: "web_search_20250305", name: "web_search", max_uses: 2 },
        ],
      },
    ],
    ["any tool", { tool_choice: { type: "any" } }, { tool_choice: "required" }],
    [
      "one tool at a time",
      { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true } },
      { tool_choice: { type: "function", name: "f" }, parallel_tool_calls: false },
    ],
  ])("stores %s under Responses names, from which requests of Messages get it back", (_name, fields, config) => {
    const settings = settingsFromMessages(MessagesBody.parse({ messages, ...fields }));
    expect(settings).toEqual({ config, systemPrompt: "" });
    expect(PresetConfig.safeParse(config).error?.issues ?? []).toEqual([]);
    expect(mergeMessages(ResponsesBody.parse(settings.config), { messages })).toEqual({ messages, ...fields });
  });

  it("uses `system` as the prompt and drops what no preset stores", () => {
    const system = [
      { type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } },
      { type: "text", text: "Be brief." },
    ];
    const body = {
      model: "m",
      messages,
      system,
      stop_sequences: ["."],
      metadata: { user_id: "u" },
      truncation: "auto",
    };
    const refused: unknown[] = [];
    expect(settingsFromMessages(MessagesBody.parse(body), (path) => refused.push(path))).toEqual({
      config: { model: "m" },
      systemPrompt: "Be kind.\nBe brief.",
    });
    expect(refused).toEqual([["system", 0, "cache_control"]]);
    expect(settingsFromMessages(MessagesBody.parse({ messages, system: "Be kind." })).systemPrompt).toBe("Be kind.");
  });
});

describe("PresetSlug", () => {
  it.each(["a", "a1", "a-b", "a_b.c~d", "x".repeat(128)])("accepts %s", (slug) =>
    expect(PresetSlug.safeParse(slug).success).toBe(true),
  );
  it.each(["", "A", "a b", "-a", "a-", "a--b", "a/b", "ä", "x".repeat(129)])("rejects «%s»", (slug) =>
    expect(PresetSlug.safeParse(slug).success).toBe(false),
  );
});
