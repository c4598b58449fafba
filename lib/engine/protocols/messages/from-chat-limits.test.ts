import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChatCompletionsBody } from "../contracts/chat-request-contract";
import { endpointOf } from "../../../testing/endpoints";
import {
  ADAPTIVE_MODEL,
  BUDGET_MODEL,
  call,
  converted,
  droppedOf,
  LATEST_MODEL,
  messagesEndpoint,
  PNG,
  problems,
  refusals,
  refusedOf,
  requestOf,
  sent,
  tool,
  type Body,
} from "../../../testing/messages-conversion";
import { hashedUser } from "../upstream-fields";
import { honourOf, leftOutTools, unsupportedFields, upstreamRequest } from "../upstream-request";
import { cases } from "../../../testing/random";

/** A format, and a choice of tools. */
const SCHEMA = { type: "json_schema", json_schema: { name: "n", schema: { type: "object" }, strict: true } };
const ALLOWED = { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [tool("f")] } };
const FIELDS = Object.keys(ChatCompletionsBody.shape);

describe("tools", () => {
  const tools = [tool("f", { parameters: { type: "object", properties: { a: {} } }, strict: true }), tool("g")];

  it("have a schema of an object", () => {
    expect(
      converted({ tools: [{ ...tool("f"), cache_control: { type: "ephemeral" } }, ...tools.slice(1)] })["tools"],
    ).toEqual([
      { name: "f", input_schema: { type: "object", properties: {} }, cache_control: { type: "ephemeral" } },
      { name: "g", input_schema: { type: "object", properties: {} } },
    ]);
  });

  it.each<[unknown, boolean | undefined, unknown]>([
    ["auto", undefined, { type: "auto" }],
    ["none", false, { type: "none" }],
    ["required", true, { type: "any" }],
    [undefined, false, { type: "auto", disable_parallel_tool_use: true }],
    [tool("g"), false, { type: "tool", name: "g", disable_parallel_tool_use: true }],
  ])("choice %j with parallel calls %j is %j", (tool_choice, parallel_tool_calls, expected) => {
    expect(converted({ tools, tool_choice, parallel_tool_calls })["tool_choice"]).toEqual(expected);
  });

  it("are only those that the choice allows", () => {
    const tool_choice = { type: "allowed_tools", allowed_tools: { mode: "required", tools: [tool("g")] } };
    const body = converted({ tools, tool_choice });
    expect(body["tools"]).toMatchObject([{ name: "g" }]);
    expect(body["tool_choice"]).toEqual({ type: "any" });
  });

  it("need not be there for `auto`", () => {
    expect(converted({ tool_choice: "auto", parallel_tool_calls: false, tools: [] })).not.toHaveProperty("tool_choice");
  });

  it.each<[string, object, string[]]>([
    ["a call without tools", { tool_choice: "required" }, ["tool_choice"]],
    ["an unknown function", { tools, tool_choice: tool("h") }, ["tool_choice.function.name"]],
    ["a hosted tool", { tools: [tools[0], { type: "openrouter:web_search" }] }, ["tools.1"]],
    ["a name twice", { tools: [tools[0], tools[0]] }, ["tools.1.function.name"]],
    ["another name", { tools: [tool("a.b")] }, ["tools.0.function.name"]],
    [
      "another schema",
      { tools: [tool("f", { parameters: { type: "string" } })] },
      ["tools.0.function.parameters.type"],
    ],
  ])("with %s are refused", (_name, fields, paths) => {
    expect(refusedOf(fields)).toEqual(paths);
  });
});

describe("reasoning", () => {
  it.each<[object, string, object]>([
    [
      { reasoning_effort: "high", max_tokens: 10_000 },
      BUDGET_MODEL,
      { thinking: { type: "enabled", budget_tokens: 8000 } },
    ],
    [
      { reasoning: { enabled: true }, max_tokens: 10_000 },
      BUDGET_MODEL,
      { thinking: { type: "enabled", budget_tokens: 5000 } },
    ],
    [
      { reasoning: { max_tokens: 2000 }, max_tokens: 3000 },
      BUDGET_MODEL,
      { thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    [
      { reasoning_effort: "minimal", max_tokens: 2000 },
      "MiniMax-M2",
      { thinking: { type: "enabled", budget_tokens: 1024 } },
    ],
    [{ reasoning_effort: "low", max_tokens: 1000 }, BUDGET_MODEL, {}],
    [{ reasoning_effort: "none" }, BUDGET_MODEL, {}],
    [
      { reasoning: { effort: "max" } },
      ADAPTIVE_MODEL,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "max" } },
    ],
    [
      { reasoning_effort: "minimal" },
      LATEST_MODEL,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
    ],
    [
      { reasoning: { enabled: true, exclude: true } },
      LATEST_MODEL,
      { thinking: { type: "adaptive", display: "omitted" } },
    ],
    [
      { reasoning: { max_tokens: 2000 }, max_tokens: 4000 },
      LATEST_MODEL,
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" } },
    ],
    [{ reasoning: { enabled: false } }, LATEST_MODEL, { thinking: { type: "disabled" } }],
    [{ reasoning: {} }, LATEST_MODEL, {}],
    [{}, LATEST_MODEL, {}],
    [{ verbosity: "high" }, LATEST_MODEL, { output_config: { effort: "high" } }],
    [
      { verbosity: "high", response_format: SCHEMA },
      LATEST_MODEL,
      { output_config: { effort: "high", format: { type: "json_schema", schema: { type: "object" } } } },
    ],
  ])("%j for %s is %j", (fields, model, expected) => {
    const { thinking, output_config } = converted(fields, model);
    expect({
      ...(thinking !== undefined && { thinking }),
      ...(output_config !== undefined && { output_config }),
    }).toEqual(expected);
  });

  it.each<[object, string[]]>([
    [{ reasoning: { max_tokens: 1000 } }, ["reasoning.max_tokens"]],
    [{ reasoning: { max_tokens: 2000 }, max_tokens: 2000 }, ["reasoning.max_tokens"]],
    [{ reasoning: { mode: "pro" } }, ["reasoning.mode"]],
    [{ reasoning_effort: "low", temperature: 0.5 }, ["temperature"]],
    [{ reasoning_effort: "low", top_p: 0.5 }, ["top_p"]],
    [{ reasoning_effort: "low", top_k: 5 }, ["top_k"]],
    [{ reasoning_effort: "low", verbosity: "high" }, ["verbosity"]],
    [{ reasoning_effort: "low", tools: [tool("f")], tool_choice: "required" }, ["reasoning_effort"]],
    [{ reasoning_effort: "none", temperature: 0.5, top_p: 0.5, top_k: 5 }, []],
    [{ reasoning_effort: "low", temperature: 1, top_p: 0.95 }, []],
  ])("%j is sent without %j", (fields, paths) => {
    converted(fields);
    expect(droppedOf(fields)).toEqual(paths);
  });
});

describe("limits of the API", () => {
  it("a request has a number of output tokens: the caller's, or the model's", () => {
    expect(converted({ max_tokens: 5, max_completion_tokens: 7 })["max_tokens"]).toBe(7);
    expect(converted({})["max_tokens"]).toBe(64_000);
    expect(converted({}, "unknown-model")["max_tokens"]).toBe(16_384);
    const model = { maxOutputTokens: 99 };
    const limited = endpointOf({ provider: { protocol: "messages" }, model });
    expect(upstreamRequest(requestOf({}), limited).body["max_tokens"]).toBe(99);
  });

  it("end users are sent as a hash", () => {
    expect(converted({ user: "ada" })["metadata"]).toEqual({ user_id: hashedUser("ada") });
    expect(converted({ user: "ada", safety_identifier: "eve" })["metadata"]).toEqual({ user_id: hashedUser("eve") });
  });

  it.each<[object, string[]]>([
    [{ temperature: 1.5 }, ["temperature"]],
    [{ top_p: -1 }, ["top_p"]],
    [{ top_k: 0 }, ["top_k"]],
    [{ service_tier: "flex" }, ["service_tier"]],
    [
      {
        n: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        repetition_penalty: 1,
        top_a: 0,
        min_p: 0,
        store: false,
        logprobs: false,
        top_logprobs: 0,
        logit_bias: {},
        stop: "",
        response_format: { type: "text" },
        modalities: ["text"],
        seed: null,
      },
      [],
    ],
  ])("%j is sent without %j", (fields, paths) => {
    converted(fields);
    expect(droppedOf(fields)).toEqual(paths);
  });

  it("stop sequences of white space, which the API rejects, are cut by Signalbox", () => {
    const request = requestOf({ stop: ["x", "\n\n"] });
    expect(sent(request)["stop_sequences"]).toEqual(["x"]);
    expect(honourOf(request, messagesEndpoint())).toEqual({ stop: ["\n\n"] });
    expect(droppedOf({ stop: ["x", "\n\n"] })).toEqual([]);
  });

  it("a temperature that is too high is the highest", () => {
    expect(converted({ temperature: 1.5 })["temperature"]).toBe(1);
  });

  it("models that reject sampling aren't sent it, and callers are warned", () => {
    const request = requestOf({ temperature: 1.5, top_p: 0.5, top_k: 3, reasoning_effort: "low" });
    for (const model of ["claude-opus-4-7", LATEST_MODEL, "anthropic/claude-mythos-preview", "claude-fable-5-1"]) {
      expect(refusals(request, model)).toEqual([]);
      expect(Object.keys(sent(request, model))).not.toEqual(expect.arrayContaining(["temperature"]));
      expect(unsupportedFields(request, messagesEndpoint(model))).toEqual(["temperature", "top_p", "top_k"]);
    }
    for (const model of [
      ADAPTIVE_MODEL,
      BUDGET_MODEL,
      "claude-3-5-haiku-20241022",
      "claude-opus-4@20250514",
      "glm-4.7",
    ])
      expect(unsupportedFields(request, messagesEndpoint(model))).toEqual(["temperature", "top_p", "top_k"]);
    expect(sent(requestOf({ temperature: 0.5 }), LATEST_MODEL, ["temperature"])).toMatchObject({ temperature: 0.5 });
  });

  it("an endpoint's known parameters decide", () => {
    const request = requestOf({ temperature: 1.5, seed: 1 });
    expect(refusals(request, BUDGET_MODEL, ["seed"])).toEqual([]);
    expect(sent(request, BUDGET_MODEL, ["seed"])).toMatchObject({ seed: 1 });
    expect(sent(request, BUDGET_MODEL, ["seed"])).not.toHaveProperty("temperature");
  });
});

describe("Responses requests", () => {
  it("reach a Messages upstream by way of chat completions, with more than those take", () => {
    const body = converted(
      {
        instructions: "be kind",
        max_output_tokens: 5000,
        reasoning: { max_tokens: 2000, enabled: true },
        cache_control: { type: "ephemeral" },
        metadata: { a: "b" },
        prompt_cache_key: "k",
        text: { format: { type: "json_schema", name: "n", schema: { type: "object" } } },
        tools: [{ type: "namespace", name: "crm", description: "CRM", tools: [{ type: "function", name: "f" }] }],
        input: [
          { role: "user", content: [{ type: "input_file", file_url: "https://a.example/a.pdf" }] },
          { type: "function_call", call_id: "c1", name: "f", namespace: "crm", arguments: "{}" },
          {
            type: "function_call_output",
            call_id: "c1",
            output: [{ type: "input_image", image_url: `data:image/png;base64,${PNG}` }],
          },
        ],
      },
      BUDGET_MODEL,
      "responses",
    );
    expect(body).toMatchObject({
      system: [{ type: "text", text: "be kind" }],
      max_tokens: 5000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      cache_control: { type: "ephemeral" },
      output_config: { format: { type: "json_schema" } },
      tools: [{ name: "crm__f" }],
      messages: [
        { content: [{ type: "document", source: { type: "url" } }] },
        { content: [{ type: "tool_use", name: "crm__f" }] },
        { content: [{ type: "tool_result", content: [{ type: "image" }] }] },
      ],
    });
  });

  it("search the web if that is what they ask for", () => {
    const search = { type: "web_search", user_location: { type: "approximate", city: "Rome" } };
    const tools = [{ type: "web_search_20250305", name: "web_search", user_location: search.user_location }];
    expect(converted({ tools: [search] }, BUDGET_MODEL, "responses")["tools"]).toEqual(tools);
    const offered = requestOf({ tools: [{ type: "function", name: "f" }, search] }, "responses");
    expect(refusals(offered)).toEqual([]);
    expect(leftOutTools(offered, messagesEndpoint())).toEqual(["web_search"]);
    expect(sent(offered)["tools"]).toMatchObject([{ name: "f" }]);
  });

  it.each<[string, object, string[]]>([
    ["an unknown field", { temprature: 1 }, ["temprature"]],
    ["a template and a format", { prompt: { id: "p" }, text: { format: { type: "json_object" } } }, ["prompt"]],
    [
      "a hosted tool behind a namespace",
      {
        tools: [
          {
            type: "namespace",
            name: "n",
            description: "N",
            tools: [
              { type: "function", name: "a" },
              { type: "function", name: "b" },
            ],
          },
          { type: "openrouter:web_search" },
        ],
      },
      ["tools.1"],
    ],
    ["a tool's name", { tools: [{ type: "function", name: "a b" }] }, ["tools.0.name"]],
    [
      "parts of an answer's turn",
      {
        instructions: "hi",
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "a" },
              { type: "input_audio", input_audio: { data: "", format: "wav" } },
            ],
          },
          { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "hm" }] },
          { role: "assistant", content: "b" },
          { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
          { type: "function_call", call_id: "c2", name: "f", arguments: "x" },
          { type: "function_call_output", call_id: "c2", output: "" },
          { type: "function_call_output", call_id: "c3", output: "" },
        ],
      },
      ["input.0.content.1", "input.4.arguments", "input.6.call_id", "input.3"],
    ],
  ])("with %s are refused by the caller's own names", (_name, fields, paths) => {
    expect(refusedOf(fields, "responses")).toEqual(paths);
  });

  it.each<[string, object, string[]]>([
    ["a tier and a temperature", { service_tier: "flex", temperature: 2 }, ["temperature", "service_tier"]],
    ["verbosity beside an effort", { reasoning: { effort: "low" }, text: { verbosity: "high" } }, ["text.verbosity"]],
  ])("with %s are sent without, named by the caller's own names", (_name, fields, paths) => {
    expect(refusedOf(fields, "responses")).toEqual([]);
    expect(droppedOf(fields, "responses").sort()).toEqual(paths.sort());
  });
});

describe("whatever a request asks for", () => {
  const blank = fc.constantFrom("", " ", "a", "b \n");
  const part = fc.oneof(
    fc.record({ type: fc.constant("text"), text: blank }),
    fc.constantFrom(
      { type: "image_url", image_url: { url: "https://a.example/i.png" } },
      { type: "image_url", image_url: { url: `data:image/jpg;base64,${PNG}` } },
      { type: "file", file: { file_data: "data:text/plain,a%20b" } },
    ),
  );
  const content = fc.oneof(blank, fc.array(part, { maxLength: 3 }));
  const id = fc.constantFrom("a", "b", "a.b", "a:b");
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom("user", "user", "system", "developer"), content }),
    fc.record({ role: fc.constant("assistant"), content: blank }),
    fc.record({
      role: fc.constant("assistant"),
      content: fc.constantFrom(null, "a", " "),
      tool_calls: fc.array(
        id.map((one) => call(one)),
        { maxLength: 3 },
      ),
      reasoning_details: fc.constantFrom(undefined, [{ type: "reasoning.text", text: "a", signature: "s", index: 0 }]),
    }),
    fc.record({ role: fc.constant("tool"), tool_call_id: id, content }),
  );
  /** A message, or a whole round of calls. */
  const round = fc.oneof(
    message.map((one) => [one]),
    content.map((said) => [{ role: "user", content: said }]),
    fc
      .tuple(fc.uniqueArray(id, { minLength: 1 }), content)
      .map(([ids, result]) => [
        { role: "user", content: "a" },
        { role: "assistant", content: null, tool_calls: ids.map((one) => call(one)) },
        ...ids.map((tool_call_id) => ({ role: "tool", tool_call_id, content: result })),
      ]),
  );
  const messages = fc.array(round, { minLength: 1, maxLength: 4 }).map((rounds) => rounds.flat());
  const fields = fc.record(
    {
      max_tokens: fc.integer({ min: 1, max: 5000 }),
      temperature: fc.constantFrom(0, 0.5, 1, 1.5),
      top_p: fc.constantFrom(0.5, 0.99),
      top_k: fc.constantFrom(0, 5),
      reasoning_effort: fc.constantFrom("none", "minimal", "low", "xhigh", "max"),
      reasoning: fc.constantFrom({ max_tokens: 1500 }, { enabled: false }, { enabled: true }, { effort: "high" }),
      verbosity: fc.constantFrom("low", "max"),
      stop: fc.constantFrom("", "x", [" "], ["x", "y"]),
      tools: fc.constantFrom([], [tool("f")], [tool("f"), tool("g")]),
      tool_choice: fc.constantFrom("auto", "none", "required", tool("f"), ALLOWED),
      parallel_tool_calls: fc.boolean(),
      response_format: fc.constantFrom({ type: "text" }, SCHEMA),
      web_search_options: fc.constant({}),
      user: fc.string({ maxLength: 20 }),
      service_tier: fc.constantFrom("auto", "default", "flex"),
      stream: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const body = fc.tuple(messages, fields, fc.subarray(FIELDS, { maxLength: 5 })).map(([said, given, names]) => ({
    messages: said,
    ...Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name))),
  }));

  it("is refused here, or taken by the API", () => {
    let taken = 0;
    fc.assert(
      fc.property(body, fc.constantFrom(BUDGET_MODEL, ADAPTIVE_MODEL, LATEST_MODEL), (given, model) => {
        const request = requestOf(JSON.parse(JSON.stringify(given)) as Body);
        if (refusals(request, model).length > 0) return;
        taken++;
        expect(problems(sent(request, model))).toEqual([]);
      }),
      { numRuns: cases(1000) },
    );
    expect(taken).toBeGreaterThan(cases(1000) / 10);
  });
});
