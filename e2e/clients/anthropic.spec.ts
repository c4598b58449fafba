import Anthropic from "@anthropic-ai/sdk";
import { updateWorkspace } from "../../lib/records/workspaces/contract";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

const messages = [{ role: "user" as const, content: "hi" }];
const weather: Anthropic.Tool = {
  name: "weather",
  description: "Weather of a city",
  input_schema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
};

/** The client appends `/v1/messages`. */
const client = ({ baseURL, apiKey }: { baseURL: string; apiKey: string }) =>
  new Anthropic({ baseURL: baseURL.replace(/\/v1$/, ""), apiKey, maxRetries: 0 });

for (const upstream of UPSTREAMS)
  test(`@anthropic-ai/sdk at a ${upstream} upstream`, async ({ scene }) => {
    const model = await scene.modelAt(upstream);
    const anthropic = client(scene);
    const common = { model, max_tokens: 1000, messages };

    const whole = await anthropic.messages.create({ ...common, system: "Be kind", temperature: 0.5 });
    expect(whole).toMatchObject({
      type: "message",
      model,
      content: [{ type: "text", text: "Hello big world" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 7, output_tokens: 5 },
    });

    const streamed = anthropic.messages.stream(common);
    let said = "";
    streamed.on("text", (delta) => (said += delta));
    const final = await streamed.finalMessage();
    expect([said, final.stop_reason, final.usage.output_tokens]).toEqual(["Hello big world", "end_turn", 5]);

    for (const stream of [false, true]) {
      const history: Anthropic.MessageParam[] = [...messages];
      const send = () => {
        const body = { ...common, messages: history, tools: [weather] };
        return stream ? anthropic.messages.stream(body).finalMessage() : anthropic.messages.create(body);
      };
      for (const city of CITIES) {
        const calling = await send();
        expect(calling.stop_reason).toBe("tool_use");
        const call = calling.content.find((block) => block.type === "tool_use");
        expect(call).toMatchObject({ name: "weather", input: { city } });
        history.push(
          { role: "assistant", content: calling.content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: "sunny" }] },
        );
      }
      expect((await send()).content).toMatchObject([{ type: "text", text: "Hello big world" }]);

      const run = { ...weather, run: () => "sunny", parse: (input: unknown) => input };
      const runner = anthropic.beta.messages.toolRunner({ ...common, tools: [run], stream });
      expect((await runner.runUntilDone()).content).toMatchObject([{ type: "text", text: "Hello big world" }]);
    }

    const { input_tokens } = await anthropic.messages.countTokens({ model, messages, tools: [weather] });
    expect(input_tokens).toBeGreaterThan(0);
    expect(scene.refused).toEqual([]);
  });

test("@anthropic-ai/sdk lists the models of a key, and finds one", async ({ scene, api, world }) => {
  const models: string[] = [];
  for (const upstream of ["messages", "chat_completions", "responses"] as const)
    models.push(await scene.modelAt(upstream));
  const { id } = await world.guardrail({ allowed_models: models });
  await api.call(updateWorkspace, { params: { id: world.workspaceId }, body: { default_guardrail_id: id } });
  const anthropic = client(scene);

  const listed: string[] = [];
  for await (const model of anthropic.models.list({ limit: 1 })) listed.push(model.id);
  expect(listed.toSorted()).toEqual(models.toSorted());
  expect((await anthropic.beta.models.list()).data).toHaveLength(3);

  const [model = ""] = models;
  expect(await anthropic.models.retrieve(model)).toMatchObject({ type: "model", id: model, display_name: model });
  await expect(anthropic.models.retrieve("nobody/nothing")).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  await expect(anthropic.models.list({ after_id: "nobody/nothing" })).rejects.toBeInstanceOf(Anthropic.BadRequestError);
});

test("@anthropic-ai/sdk raises its own errors", async ({ scene }) => {
  const anthropic = client(scene);
  const failure = (model: string, given = anthropic, more: object = {}) =>
    given.messages.create({ model, max_tokens: 10, messages, ...more }).then(
      () => null,
      (error: unknown) => error,
    );
  const message = "said by the upstream";
  const limited = await failure(await scene.failingModel(429, { message }, { "retry-after": "7" }));
  expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
  expect((limited as InstanceType<typeof Anthropic.RateLimitError>).headers.get("retry-after")).toBe("7");
  expect(limited).toMatchObject({ error: { type: "error", error: { type: "rate_limit_error", message } } });
  expect(await failure(await scene.failingModel(400, { message }))).toBeInstanceOf(Anthropic.BadRequestError);
  expect(await failure("nobody/nothing")).toBeInstanceOf(Anthropic.NotFoundError);
  expect(await failure(await scene.modelAt("messages"), anthropic, { max_tokens: 0 })).toMatchObject({
    status: 400,
    error: { error: { type: "invalid_request_error" } },
  });
  const stranger = client({ ...scene, apiKey: "sk-nobody" });
  expect(await failure("nobody/nothing", stranger)).toBeInstanceOf(Anthropic.AuthenticationError);
});
