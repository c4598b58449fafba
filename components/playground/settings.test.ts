import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../../lib/engine/protocols/contracts/chat-request-contract";
import { splitPersistedFields } from "../../lib/records/presets/persisted-fields";
import { expectedOf } from "./answer-test";
import { presetBody } from "./preset-body";
import { EXAMPLE_SCHEMA, EXAMPLE_TOOLS, NO_SETTINGS, readSettings } from "./settings";

const FULL = {
  ...NO_SETTINGS,
  temperature: "0.5",
  topP: " 1 ",
  maxTokens: "100",
  tools: EXAMPLE_TOOLS,
  schema: EXAMPLE_SCHEMA,
};

describe("readSettings", () => {
  it("has no fields for blank settings", () => {
    expect(readSettings(NO_SETTINGS)).toEqual({ fields: {}, problems: {} });
  });

  it("reads fields that a request accepts", () => {
    const { fields, problems } = readSettings(FULL);
    expect(problems).toEqual({});
    const body = { model: "m", messages: [{ role: "user", content: "Hi" }], ...fields };
    expect(ChatCompletionsBody.parse(body)).toMatchObject({
      temperature: 0.5,
      top_p: 1,
      max_completion_tokens: 100,
      tools: [{ function: { name: "get_weather" } }],
      response_format: { type: "json_schema" },
    });
  });

  it.each([
    ["temperature", "3", /from 0 to 2/],
    ["temperature", "warm", /from 0 to 2/],
    ["topP", "-1", /from 0 to 1/],
    ["maxTokens", "1.5", /whole number/],
    ["tools", "{}", /array/],
    ["tools", "[", /Invalid JSON/],
    ["schema", "[]", /JSON Schema/],
  ] as const)("reports %s of %j", (setting, text, message) => {
    expect(readSettings({ ...NO_SETTINGS, [setting]: text }).problems[setting]).toMatch(message);
  });
});

describe("presetBody", () => {
  const { fields } = readSettings(FULL);

  it("has only fields that a preset stores", () => {
    const body = presetBody({ model: "acme/large" }, "Be brief", fields);
    expect(splitPersistedFields("responses", body).ignored).toEqual([]);
    expect(body).toMatchObject({
      model: "acme/large",
      instructions: "Be brief",
      max_output_tokens: 100,
      tools: [{ type: "function", name: "get_weather" }],
      text: { format: { type: "json_schema", name: "answer", strict: true } },
    });
  });

  it("keeps what the chosen version sets and the settings don't", () => {
    const base = { config: { model: "acme/large", temperature: 1, seed: 7 }, system_prompt: "Stored" };
    expect(presetBody(base, "", { temperature: 0 })).toEqual({
      model: "acme/large",
      temperature: 0,
      seed: 7,
      instructions: "Stored",
    });
  });
});

describe("expectedOf", () => {
  const decision = (action: string, field: string, rule: string | null) =>
    ({
      action,
      field,
      rule,
      scope: "key",
      guardrail_id: null,
      guardrail_name: null,
      revision: null,
      spans: [],
    }) as const;

  it.each([
    ["succeeded", [], { outcome: "allowed", field: null, rule: null }],
    [
      "blocked",
      [decision("flag", "content_filters", "a"), decision("block", "content_filter_builtins", "credit-card")],
      { outcome: "blocked", field: "content_filter_builtins", rule: "credit-card" },
    ],
    ["blocked", [decision("exclude", "allowed_models", null)], { outcome: "no_endpoint", field: null, rule: null }],
    ["blocked", [decision("block", "limit_usd", null)], null],
    [
      "succeeded",
      [decision("flag", "content_filters", "a"), decision("redact", "content_filter_builtins", "email")],
      { outcome: "redacted", field: "content_filter_builtins", rule: "email" },
    ],
  ] as const)("of a %s request with %j", (status, decisions, expected) => {
    expect(expectedOf({ status, decisions: [...decisions].map((one) => ({ ...one, spans: [] })) })).toEqual(expected);
  });
});
