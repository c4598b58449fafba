import { describe, expect, it } from "vitest";
import { MessagesBody } from "../../engine/protocols/contracts/messages-request-contract";
import { ChatCompletionsBody } from "../../engine/protocols/contracts/chat-request-contract";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { splitPersistedFields } from "./persisted-fields";
import { settingsFromChatCompletions, settingsFromResponses } from "./settings";

const responses = (body: object) => splitPersistedFields("responses", ResponsesBody.loose().parse(body));
const chat = (body: object) =>
  splitPersistedFields(
    "chat_completions",
    ChatCompletionsBody.loose().parse({ messages: [{ role: "user", content: "hi" }], ...body }),
  );
const reasons = ({ ignored }: ReturnType<typeof responses>) =>
  Object.fromEntries(ignored.map(({ path, reason }) => [path.join("."), reason]));

describe("splitPersistedFields", () => {
  it("reports for every field of a Responses body whether it is stored, or the reason it isn't", () => {
    const found = responses({
      model: "m",
      instructions: "Be kind.",
      input: "hi",
      stream: true,
      temperature: null,
      seed: 1,
      colour: "red",
    });
    expect(found.kept).toEqual(["model", "instructions"]);
    expect(reasons(found)).toEqual({
      input: "applies to a single request, not to a preset",
      stream: "applies to a single request, not to a preset",
      temperature: "null has nothing to store",
      seed: "is a field of Chat Completions, not of Responses",
      colour: "unknown field",
    });
  });

  it("reports renamed and duplicate fields of a Chat Completions body", () => {
    const found = chat({
      max_tokens: 5,
      max_completion_tokens: 7,
      reasoning_effort: "low",
      reasoning: { effort: "high" },
      response_format: { type: "text" },
      stop: ["x"],
      truncation: "auto",
    });
    expect(found.kept).toEqual(["reasoning", "max_completion_tokens", "response_format"]);
    expect(reasons(found)).toMatchObject({
      max_tokens: "is overridden by max_completion_tokens",
      reasoning_effort: "is overridden by reasoning",
      stop: "applies to a single request, not to a preset",
      truncation: "is a field of Responses, not of Chat Completions",
    });
  });

  it("stores the system messages of a conversation and counts the others", () => {
    const message = (role: string) => ({ role, content: "hi" });
    expect(chat({ messages: [message("system")] })).toEqual({ kept: ["messages"], ignored: [] });
    const mixed = chat({ messages: [message("developer"), message("user"), message("assistant")] });
    expect(mixed.kept).toEqual(["messages"]);
    expect(reasons(mixed)["messages"]).toMatch(/^2 messages are not stored/);
    expect(chat({}).kept).toEqual([]);
  });

  it("reports fields of a Messages body, and parts of those that are stored", () => {
    const found = splitPersistedFields(
      "messages",
      MessagesBody.parse({
        model: "m",
        max_tokens: 5,
        system: "Be kind.",
        messages: [{ role: "user", content: "hi" }],
        thinking: { type: "adaptive", display: "omitted" },
        output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
        output_format: { type: "json_schema", schema: {} },
        tools: [{ name: "f", input_schema: {}, input_examples: [{}] }],
        top_p: null,
        truncation: "auto",
        seed: 1,
        colour: "red",
      }),
    );
    expect(found.kept).toEqual(["model", "system", "tools", "thinking", "output_config", "max_tokens"]);
    expect(reasons(found)).toEqual({
      messages: "applies to a single request, not to a preset",
      output_format: "is overridden by output_config",
      top_p: "null has nothing to store",
      truncation: "is a field of Responses, not of Messages",
      seed: "is a field of Chat Completions, not of Messages",
      colour: "unknown field",
      "thinking.display": "isn't supported in presets",
      "tools.0.input_examples": "isn't supported in presets",
    });
  });

  it("ignores a setting of a Messages body that has no counterpart as a whole", () => {
    const body = { messages: [{ role: "user", content: "hi" }], thinking: { type: "between_tools" } };
    expect(splitPersistedFields("messages", MessagesBody.parse(body)).kept).toEqual([]);
  });

  it.each([{ messages: [{ role: "system", content: "Be kind." }] }, { messages: null }, { messages: 7 }])(
    "ignores messages in a Responses body: %j",
    (body) => {
      expect(responses(body)).toEqual({
        kept: [],
        ignored: [{ path: ["messages"], reason: "is a field of Chat Completions and Messages, not of Responses" }],
      });
    },
  );

  it.each([
    {
      model: "m",
      temperature: 0,
      top_p: null,
      input: "x",
      instructions: "i",
      tools: [],
      text: {},
      provider: { order: ["a"] },
      x: 1,
    },
    { store: false, stream: false, metadata: { a: "b" }, user: "u", max_output_tokens: 3, seed: 4 },
  ])("is consistent with settingsFromResponses: removing ignored fields gives equal settings", (body) => {
    const { kept } = responses(body);
    const keptAlone = Object.fromEntries(Object.entries(body).filter(([field]) => kept.includes(field)));
    const settings = settingsFromResponses(ResponsesBody.parse(body));
    expect(settingsFromResponses(ResponsesBody.parse(keptAlone))).toEqual(settings);
    expect(Object.keys(settings.config).sort()).toEqual(kept.filter((field) => field !== "instructions").sort());
  });

  it.each([
    {
      model: "m",
      max_tokens: 3,
      max_completion_tokens: null,
      reasoning_effort: "low",
      seed: 4,
      max_output_tokens: 9,
      truncation: "auto",
    },
    {
      reasoning: null,
      reasoning_effort: "high",
      stop: "x",
      response_format: { type: "json_object" },
      tool_choice: "auto",
      tools: [],
    },
  ])("is consistent with settingsFromChatCompletions", (fields) => {
    const body = {
      ...fields,
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "hi" },
      ],
    };
    const { kept } = chat(body);
    const keptAlone = Object.fromEntries(Object.entries(body).filter(([field]) => kept.includes(field)));
    const settings = settingsFromChatCompletions(ChatCompletionsBody.parse(body));
    expect(settingsFromChatCompletions(ChatCompletionsBody.parse(keptAlone))).toEqual(settings);
    expect(Object.keys(settings.config)).toHaveLength(kept.length - 1);
  });
});
