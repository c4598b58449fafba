import { describe, expect, it } from "vitest";
import { ChatCompletionsBody, ResponsesBody } from "../../gateway/contract";
import { PresetConfig, PresetSlug } from "./contract";
import { settingsFromChatCompletions, settingsFromResponses } from "./policy";

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

describe("PresetSlug", () => {
  it.each(["a", "a1", "a-b", "a_b.c~d", "x".repeat(128)])("accepts %s", (slug) =>
    expect(PresetSlug.safeParse(slug).success).toBe(true),
  );
  it.each(["", "A", "a b", "-a", "a-", "a--b", "a/b", "ä", "x".repeat(129)])("rejects «%s»", (slug) =>
    expect(PresetSlug.safeParse(slug).success).toBe(false),
  );
});
