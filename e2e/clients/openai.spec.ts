import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

const City = z.object({ city: z.string() });
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

for (const upstream of UPSTREAMS) {
  test(`openai: chat completions at a ${upstream} upstream`, async ({ scene }) => {
    const model = await scene.modelAt(upstream);
    const openai = new OpenAI({ ...scene, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "hi" }];
    expect((await openai.chat.completions.create({ model, messages })).choices[0]?.message.content).toBe(
      "Hello big world",
    );
    const stream = openai.chat.completions.stream({ model, messages });
    expect(await stream.finalContent()).toBe("Hello big world");
    const weather = { name: "weather", description: "Weather", parse: JSON.parse, parameters, function: () => "sunny" };
    const loop = { model, messages, tools: [{ type: "function" as const, function: weather }] };
    for (const run of [
      openai.chat.completions.runTools(loop),
      openai.chat.completions.runTools({ ...loop, stream: true }),
    ]) {
      expect(await run.finalContent()).toBe("Hello big world");
      expect(run.messages.filter(({ role }) => role === "tool")).toHaveLength(CITIES.length);
    }
    const parsed = await openai.chat.completions.parse({
      model,
      messages,
      response_format: zodResponseFormat(City, "city"),
    });
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: "Rome" });
    expect(scene.refused).toEqual([]);
  });

  test(`openai: responses at a ${upstream} upstream`, async ({ scene }) => {
    const model = await scene.modelAt(upstream);
    const openai = new OpenAI({ ...scene, maxRetries: 0 });
    expect((await openai.responses.create({ model, input: "hi" })).output_text).toBe("Hello big world");
    const final = await openai.responses.stream({ model, input: "hi" }).finalResponse();
    expect(final.output_text).toBe("Hello big world");
    const tools = [{ type: "function" as const, name: "weather", parameters, strict: true }];
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "hi" }];
    for (const isStreamed of [false, true]) {
      const history = [...input];
      const send = () =>
        isStreamed
          ? openai.responses.stream({ model, input: history, tools }).finalResponse()
          : openai.responses.create({ model, input: history, tools });
      for (const city of CITIES) {
        const { output } = await send();
        const call = output.find((item) => item.type === "function_call");
        expect(call?.arguments).toBe(JSON.stringify({ city }));
        history.push(...output, { type: "function_call_output", call_id: call?.call_id ?? "", output: "sunny" });
      }
      expect((await send()).output_text).toBe("Hello big world");
    }
    const parsed = await openai.responses.parse({ model, input, text: { format: zodTextFormat(City, "city") } });
    expect(parsed.output_parsed).toEqual({ city: "Rome" });
    expect(scene.refused).toEqual([]);
  });
}
