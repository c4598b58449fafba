import { Agent, OpenAIProvider, Runner, tool } from "@openai/agents";
import { z } from "zod";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

const City = z.object({ city: z.string() });
const weather = tool({
  name: "weather",
  description: "Weather of a city",
  parameters: City,
  execute: ({ city }) => `sunny in ${city}`,
});

for (const upstream of UPSTREAMS)
  for (const useResponses of [false, true])
    test(`OpenAI Agents with ${useResponses ? "responses" : "chat completions"} at a ${upstream} upstream`, async ({
      scene: { baseURL, apiKey, modelAt, refused },
    }) => {
      const model = await modelAt(upstream);
      const modelProvider = new OpenAIProvider({ apiKey, baseURL, useResponses });
      const runner = new Runner({ modelProvider, tracingDisabled: true });
      const greeter = new Agent({ name: "Greeter", instructions: "Be kind", model });
      expect((await runner.run(greeter, "hi")).finalOutput).toBe("Hello big world");
      const caller = new Agent({ name: "Caller", instructions: "Use tools", model, tools: [weather] });
      const whole = await runner.run(caller, "weather?");
      const stream = await runner.run(caller, "weather?", { stream: true });
      await stream.completed;
      for (const { finalOutput, newItems } of [whole, stream]) {
        expect(finalOutput).toBe("Hello big world");
        expect(newItems.filter(({ type }) => type === "tool_call_output_item")).toHaveLength(CITIES.length);
      }
      // The response becomes the history of the next turn.
      const next = await runner.run(greeter, [...whole.history, { role: "user", content: "and now?" }]);
      expect(next.finalOutput).toBe("Hello big world");
      const typed = new Agent({ name: "Typed", model, outputType: City });
      expect((await runner.run(typed, "where?")).finalOutput).toEqual({ city: "Rome" });
      expect(refused).toEqual([]);
    });
