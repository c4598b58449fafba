import { OpenResponse, OpenResponsesEvent } from "../../lib/testing/open-responses";
import { StrictChatBody, StrictResponsesBody } from "../../lib/testing/strict-upstream";
import { startFakeProvider, type Received } from "../fake-provider";
import type { FakeAnswer } from "../fake-provider-answers";
import { expect, test } from "../fixtures";
import { createUpstream } from "../world";

const user = (content: unknown) => ({ type: "message", role: "user", content });
const said = (content: string, more: object = {}) => ({ type: "message", role: "assistant", content, ...more });
const weather = {
  type: "function",
  name: "get_weather",
  parameters: { type: "object", properties: { location: { type: "string" } }, required: ["location"] },
};
const image = "data:image/png;base64,iVBORw0KGgo=";

/** Requests that the public compliance suite of Open Responses sends over plain HTTP. */
const CASES: readonly (readonly [name: string, body: object, output: string])[] = [
  ["text", { input: [user("Say hello in three words.")] }, "message"],
  [
    "phases of earlier turns",
    {
      input: [
        said("I look up the number.", { phase: "commentary" }),
        said("It is four.", { phase: "final_answer" }),
        user("Repeat it."),
      ],
    },
    "message",
  ],
  [
    "a system prompt",
    { input: [{ type: "message", role: "system", content: "You are a pirate." }, user("Hello.")] },
    "message",
  ],
  ["a tool", { input: [user("What's the weather like in San Francisco?")], tools: [weather] }, "function_call"],
  [
    "an image",
    {
      input: [
        user([
          { type: "input_text", text: "What is in this picture?" },
          { type: "input_image", image_url: image },
        ]),
      ],
    },
    "message",
  ],
  ["several turns", { input: [user("My name is Alice."), said("Hello Alice!"), user("What is my name?")] }, "message"],
];

/** Rejects requests that a strict upstream would reject; calls an offered tool. */
function strictAnswer({ path, body }: Received): FakeAnswer {
  const { error } = (path === "/responses" ? StrictResponsesBody : StrictChatBody).safeParse(body);
  if (error) return { status: 400, body: { error: { message: error.message } } };
  return {
    reasoning: "Let me think.",
    ...(body["tools"]
      ? { toolCalls: [{ name: weather.name, arguments: '{"location":"SF"}' }] }
      : { text: "Hello there" }),
  };
}

for (const upstream of ["sandbox/echo", "sandbox/reasoner", "chat_completions", "responses"] as const)
  test(`responses and their events are valid Open Responses, from ${upstream}`, async ({ api, world, serverUrl }) => {
    const fake = await startFakeProvider({ answer: strictAnswer });
    const isSandbox = upstream === "sandbox/echo" || upstream === "sandbox/reasoner";
    const model = isSandbox
      ? upstream
      : (await createUpstream(api, fake.baseUrl, { prompt: "1", completion: "1" }, { protocol: upstream })).model;
    const { text: key } = await world.inferenceKey();
    const ask = async (body: object) => {
      const answer = await fetch(`${serverUrl}/v1/responses`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, ...body }),
      });
      const content = await answer.text();
      expect(answer.status, content).toBe(200);
      return content;
    };
    for (const [name, body, output] of CASES)
      await test.step(name, async () => {
        const whole = OpenResponse.parse(JSON.parse(await ask(body)));
        expect([whole.status, whole.output.map(({ type }) => type)]).toEqual([
          "completed",
          upstream === "sandbox/echo" || (upstream === "sandbox/reasoner" && output !== "message")
            ? [output]
            : ["reasoning", output],
        ]);
        const stream = await ask({ ...body, stream: true });
        const events = [...stream.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, type, data = ""]) => {
          const event = OpenResponsesEvent.parse(JSON.parse(data));
          expect(event.type).toBe(type);
          return event;
        });
        expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
        const last = events.at(-1);
        expect(last?.type).toBe("response.completed");
        const shape = ({ output: items }: typeof whole) => items.map(({ id: _, ...rest }) => rest);
        expect(last && "response" in last ? shape(last.response) : null).toEqual(shape(whole));
      });
    await fake.stop();
  });

test("state that a stateless API has not is refused by name", async ({ world, serverUrl }) => {
  const { text: key } = await world.inferenceKey();
  for (const [field, value] of Object.entries({
    previous_response_id: "resp_1",
    conversation: "conv_1",
    background: true,
    store: true,
  })) {
    const answer = await fetch(`${serverUrl}/v1/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "sandbox/echo", input: "hi", [field]: value }),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(field)]);
  }
});
