import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { OpenAI as LlamaOpenAI } from "@llamaindex/openai";
import { tool as llamaTool } from "llamaindex";
import { z } from "zod";
import { expect, test, UPSTREAMS } from "./strict-provider";

const City = z.object({ city: z.string() });
const weather = tool({
  name: "weather",
  description: "Weather of a city",
  parameters: City,
  execute: ({ city }) => `sunny in ${city}`,
});

for (const upstream of UPSTREAMS) {
  for (const useResponses of [false, true])
    test(`OpenAI Agents with ${useResponses ? "responses" : "chat completions"} at a ${upstream} upstream`, async ({
      scene: { baseURL, apiKey, modelAt, refused },
    }) => {
      const model = await modelAt(upstream);
      const modelProvider = new OpenAIProvider({ apiKey, baseURL, useResponses });
      const runner = new Runner({ modelProvider, tracingDisabled: true });
      const greeter = new Agent({ name: "Greeter", instructions: "Be kind", model });
      expect((await runner.run(greeter, "hi")).finalOutput).toBe("Hello big world");
      const stream = await runner.run(greeter, "hi", { stream: true });
      await stream.completed;
      expect(stream.finalOutput).toBe("Hello big world");
      const caller = new Agent({ name: "Caller", instructions: "Use tools", model, tools: [weather] });
      const turn = await runner.run(caller, "weather?");
      expect(turn.finalOutput).toBe("Hello big world");
      expect(turn.newItems.map(({ type }) => type)).toContain("tool_call_output_item");
      const typed = new Agent({ name: "Typed", model, outputType: City });
      expect((await runner.run(typed, "where?")).finalOutput).toEqual({ city: "Rome" });
      expect(refused).toEqual([]);
    });

  test(`LlamaIndex at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
    const llm = new LlamaOpenAI({ model: await modelAt(upstream), apiKey, baseURL, maxRetries: 0 });
    const messages = [{ role: "user" as const, content: "hi" }];
    expect((await llm.chat({ messages })).message.content).toBe("Hello big world");
    let said = "";
    for await (const { delta } of await llm.chat({ messages, stream: true })) said += delta;
    expect(said).toBe("Hello big world");
    const tools = [llamaTool({ name: "weather", description: "Weather", parameters: City, execute: () => "sunny" })];
    const calling = await llm.chat({ messages, tools });
    expect(calling.message.options).toMatchObject({ toolCall: [{ name: "weather", input: '{"city":"Rome"}' }] });
    const typed = await llm.chat({ messages, responseFormat: City });
    expect(JSON.parse(String(typed.message.content))).toEqual({ city: "Rome" });
    expect(refused).toEqual([]);
  });
}
