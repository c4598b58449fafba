import { OpenRouter } from "@openrouter/sdk";
import OpenAI, { APIError } from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { getGeneration } from "../../lib/records/generations/contract";
import type { PROTOCOLS } from "../../lib/engine/protocols/vocabulary";
import { startFakeProvider, type FakeProvider } from "../fake-provider";
import type { FakeAnswer } from "../fake-provider-answers";
import { expect, test as base } from "../fixtures";
import { streamed, whole } from "../router-answers";
import { createUpstream } from "../world";

type Protocol = (typeof PROTOCOLS)[number];

/** A model at an upstream with one protocol, and official clients for one key. */
interface Scene {
  model: string;
  /** Scripts the upstream's response and returns the requests it receives. */
  script: (...answers: [FakeAnswer, ...FakeAnswer[]]) => void;
  sent: () => Record<string, unknown>[];
  openai: OpenAI;
  openrouter: OpenRouter;
}

const test = base.extend<{ fake: FakeProvider; scene: (protocol: Protocol) => Promise<Scene> }>({
  fake: async ({}, use) => {
    const fake = await startFakeProvider();
    await use(fake);
    await fake.stop();
  },
  scene: async ({ api, world, fake, serverUrl }, use) =>
    use(async (protocol) => {
      const { model, upstreamModel } = await createUpstream(
        api,
        fake.baseUrl,
        { prompt: "2", completion: "4" },
        { protocol },
      );
      const { text } = await world.inferenceKey();
      return {
        model,
        script: (...answers) => fake.script(upstreamModel, ...answers),
        sent: () => fake.requestsFor(upstreamModel).map(({ body }) => body),
        openai: new OpenAI({ baseURL: `${serverUrl}/v1`, apiKey: text, maxRetries: 0 }),
        openrouter: new OpenRouter({ serverURL: `${serverUrl}/v1`, apiKey: text, retryConfig: { strategy: "none" } }),
      };
    }),
});

/** 11 × 2 + 7 × 4 millionths of a dollar. */
const USAGE = { input: 11, output: 7, cached: 3, reasoning: 2 };
const COST = 0.00005;
const IMAGE = "data:image/png;base64,iVBORw0KGgo=";
const Weather = z.object({ city: z.string() });
const WEATHER = { name: "weather", arguments: '{"city": "Zürich"}' };
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

async function drain(parts: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of parts);
}

for (const protocol of ["chat_completions", "responses"] as const) {
  test.describe(`an upstream of ${protocol}`, () => {
    test("chat completions: text and reasoning, whole and streamed", async ({ scene }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ reasoning: "let me think", text: "Hello big world", usage: USAGE });
      const body = {
        model,
        messages: [
          { role: "system" as const, content: "Be kind" },
          { role: "user" as const, content: "hi" },
        ],
      };
      const first = await openai.chat.completions.create(body);
      const second = await openai.chat.completions
        .stream({ ...body, stream_options: { include_usage: true } })
        .finalChatCompletion();
      for (const completion of [first, second]) {
        expect(completion.choices[0]).toMatchObject({
          message: { role: "assistant", content: "Hello big world" },
          finish_reason: "stop",
        });
        expect(completion.id).toMatch(/^gen-/);
        expect(completion.model).toBe(model);
        expect(completion.usage).toMatchObject({
          prompt_tokens: 11,
          completion_tokens: 7,
          total_tokens: 18,
          cost: COST,
          prompt_tokens_details: { cached_tokens: 3 },
        });
      }
      expect(first.choices[0]?.message).toMatchObject({ reasoning: "let me think" });
      expect(sent().map(({ stream }) => stream)).toEqual([false, true]);
      expect(sent()[0]).toMatchObject(
        protocol === "responses"
          ? { instructions: "Be kind", input: [{ role: "user", content: "hi" }], store: false }
          : { messages: body.messages },
      );
    });

    test("Responses: text and reasoning, whole and streamed", async ({ scene }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ reasoning: "let me think", text: "Hello big world", usage: USAGE });
      const body = { model, instructions: "Be kind", input: "hi", max_output_tokens: 100, metadata: { team: "a" } };
      const types: string[] = [];
      const stream = openai.responses.stream(body).on("event", ({ type }) => types.push(type));
      for (const response of [await openai.responses.create(body), await stream.finalResponse()]) {
        expect(response).toMatchObject({
          model,
          status: "completed",
          output_text: "Hello big world",
          output: [{ type: "reasoning" }, { type: "message", role: "assistant" }],
          usage: { input_tokens: 11, output_tokens: 7, output_tokens_details: { reasoning_tokens: 2 }, cost: COST },
          metadata: { team: "a" },
          store: false,
        });
        expect(response.id).toMatch(/^gen-/);
      }
      expect([types[0], types[1], types.at(-1)]).toEqual([
        "response.created",
        "response.in_progress",
        "response.completed",
      ]);
      const expected =
        protocol === "responses"
          ? { instructions: "Be kind", input: "hi", max_output_tokens: 100, metadata: { team: "a" }, store: false }
          : {
              messages: [
                { role: "system", content: "Be kind" },
                { role: "user", content: "hi" },
              ],
              max_tokens: 100,
            };
      for (const request of sent()) expect(request).toMatchObject(expected);
    });

    test("chat completions: a tool is called, its output goes back, the model answers", async ({ scene }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ toolCalls: [WEATHER, { name: "time", arguments: "{}" }] }, { text: "Sunny" });
      const tools = ["weather", "time"].map((name) => ({ type: "function" as const, function: { name, parameters } }));
      const question = { role: "user" as const, content: "Weather?" };
      const first = await openai.chat.completions.stream({ model, tools, messages: [question] }).finalChatCompletion();
      expect(first.choices[0]?.finish_reason).toBe("tool_calls");
      const calls = first.choices[0]?.message.tool_calls ?? [];
      expect(calls.map((call) => [call.function.name, call.function.arguments])).toEqual([
        ["weather", WEATHER.arguments],
        ["time", "{}"],
      ]);
      const outputs = calls.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: `of ${id}` }));
      const second = await openai.chat.completions.create({
        model,
        tools,
        messages: [question, { role: "assistant", tool_calls: calls }, ...outputs],
      });
      expect(second.choices[0]?.message.content).toBe("Sunny");
      const history =
        protocol === "responses"
          ? (sent()[1]?.["input"] as object[]).slice(1)
          : (sent()[1]?.["messages"] as object[]).slice(2);
      expect(history.slice(-2)).toMatchObject(
        calls.map(({ id }) =>
          protocol === "responses"
            ? { type: "function_call_output", call_id: id, output: `of ${id}` }
            : { role: "tool", tool_call_id: id, content: `of ${id}` },
        ),
      );
    });

    test("Responses: a tool is called, its output goes back, the model answers", async ({ scene }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ reasoning: "hm", toolCalls: [WEATHER] }, { text: "Sunny" });
      const tools = [{ type: "function" as const, name: "weather", parameters, strict: true }];
      const first = await openai.responses.stream({ model, tools, input: "Weather?" }).finalResponse();
      const call = first.output.find((item) => item.type === "function_call");
      expect(call).toMatchObject({ ...WEATHER, status: "completed" });
      const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: "sunny" };
      const second = await openai.responses.create({
        model,
        tools,
        input: [
          { role: "user", content: "Weather?" },
          ...(first.output as OpenAI.Responses.ResponseInputItem[]),
          output,
        ],
      });
      expect(second.output_text).toBe("Sunny");
      const history = (sent()[1]?.[protocol === "responses" ? "input" : "messages"] ?? []) as object[];
      expect(history.at(-1)).toMatchObject(
        protocol === "responses" ? output : { role: "tool", tool_call_id: output.call_id, content: "sunny" },
      );
      expect(sent()[0]?.["tools"]).toMatchObject(
        protocol === "responses" ? tools : [{ type: "function", function: { name: "weather", parameters } }],
      );
    });

    test("structured output is requested and parsed in Chat Completions and Responses", async ({ scene }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ text: WEATHER.arguments });
      const completion = await openai.chat.completions.parse({
        model,
        messages: [{ role: "user", content: "?" }],
        response_format: zodResponseFormat(Weather, "weather"),
      });
      expect(completion.choices[0]?.message.parsed).toEqual({ city: "Zürich" });
      const response = await openai.responses.parse({
        model,
        input: "?",
        text: { format: zodTextFormat(Weather, "weather") },
      });
      expect(response.output_parsed).toEqual({ city: "Zürich" });
      const schema = { name: "weather", strict: true, schema: { type: "object", required: ["city"] } };
      for (const request of sent()) {
        expect(request).toMatchObject(
          protocol === "responses"
            ? { text: { format: { type: "json_schema", ...schema } } }
            : { response_format: { type: "json_schema", json_schema: schema } },
        );
      }
    });

    test("images and files are sent in the upstream's protocol, from Chat Completions and Responses", async ({
      scene,
    }) => {
      const { model, script, sent, openai } = await scene(protocol);
      script({ text: "A cat" });
      await openai.chat.completions.create({
        model,
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "What?" },
              { type: "image_url", image_url: { url: IMAGE, detail: "low" } },
              { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
            ],
          },
        ],
      });
      await openai.responses.create({
        model,
        input: [
          {
            role: "user",
            content: [
              { type: "input_text", text: "What?" },
              { type: "input_image", image_url: IMAGE, detail: "low" },
              { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
            ],
          },
        ],
      });
      for (const request of sent()) {
        const [message] = request[protocol === "responses" ? "input" : "messages"] as { content: unknown }[];
        expect(message?.content).toMatchObject(
          protocol === "responses"
            ? [
                { type: "input_text", text: "What?" },
                { type: "input_image", image_url: IMAGE, detail: "low" },
                { type: "input_file", filename: "a.pdf" },
              ]
            : [
                { type: "text", text: "What?" },
                { type: "image_url", image_url: { url: IMAGE, detail: "low" } },
                { type: "file", file: { filename: "a.pdf" } },
              ],
        );
      }
    });

    test("a model refusal is returned in Chat Completions and Responses", async ({ scene }) => {
      const { model, script, openai } = await scene(protocol);
      script({ refusal: "I can't do that" });
      const completion = await openai.chat.completions
        .stream({ model, messages: [{ role: "user", content: "?" }] })
        .finalChatCompletion();
      expect(completion.choices[0]?.message.refusal).toBe("I can't do that");
      const response = await openai.responses.stream({ model, input: "?" }).finalResponse();
      expect(response.output).toMatchObject([
        { type: "message", content: [{ type: "refusal", refusal: "I can't do that" }] },
      ]);
    });

    test("@openrouter/sdk: Chat Completions and Responses, whole and streamed", async ({ scene }) => {
      const { model, script, openrouter } = await scene(protocol);
      script({ text: "Hello big world", usage: USAGE });
      const chatRequest = { model, messages: [{ role: "user" as const, content: "hi" }] };
      const completion = whole(await openrouter.chat.send({ chatRequest }));
      expect([completion.choices[0]?.message.content, completion.usage?.promptTokens]).toEqual(["Hello big world", 11]);
      let text = "";
      for await (const { choices } of streamed(
        await openrouter.chat.send({ chatRequest: { ...chatRequest, stream: true } }),
      ))
        text += choices[0]?.delta.content ?? "";
      expect(text).toBe("Hello big world");
      const responsesRequest = { model, input: "hi" };
      expect(whole(await openrouter.responses.send({ responsesRequest })).outputText).toBe("Hello big world");
      text = "";
      for await (const event of streamed(
        await openrouter.responses.send({ responsesRequest: { ...responsesRequest, stream: true } }),
      ))
        text += event.type === "response.output_text.delta" ? event.delta : "";
      expect(text).toBe("Hello big world");
    });

    test("an upstream that disconnects mid-stream fails the stream and is recorded", async ({ scene, api }) => {
      const { model, script, openai } = await scene(protocol);
      script({ text: "one two three four five six", eventMs: 50, cutAfter: 6 });
      const { data: stream, response } = await openai.responses
        .create({ model, input: "hi", stream: true })
        .withResponse();
      const types: string[] = [];
      const read = async () => {
        for await (const { type } of stream) types.push(type);
      };
      await expect(read()).rejects.toThrow(APIError);
      expect(types).toContain("response.output_text.delta");
      const { data } = await api.call(getGeneration, { query: { id: response.headers.get("x-generation-id") ?? "" } });
      expect(data.status).toBe("failed");
      const chat = await openai.chat.completions.create({
        model,
        messages: [{ role: "user", content: "hi" }],
        stream: true,
      });
      await expect(drain(chat)).rejects.toThrow(APIError);
    });

    test("a response in the other form, or without usage, is accepted", async ({ scene }) => {
      const { model, script, openai } = await scene(protocol);
      script({ text: "Hello big world", ignoresStream: true, usage: null });
      expect((await openai.responses.create({ model, input: "hi" })).output_text).toBe("Hello big world");
      expect((await openai.responses.stream({ model, input: "hi" }).finalResponse()).output_text).toBe(
        "Hello big world",
      );
      expect(
        (await openai.chat.completions.create({ model, messages: [{ role: "user", content: "hi" }] })).choices[0]
          ?.message.content,
      ).toBe("Hello big world");
    });

    test("a malformed upstream response returns 502 with the raw text", async ({ scene }) => {
      const { model, script, openai } = await scene(protocol);
      script({ garbage: { after: 0, words: "<html>busy</html>" } });
      await expect(openai.responses.create({ model, input: "hi" })).rejects.toMatchObject({
        status: 502,
        error: { metadata: { raw: "<html>busy</html>" } },
      });
    });
  });
}
