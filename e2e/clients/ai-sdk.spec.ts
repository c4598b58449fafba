import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { generateText, Output, stepCountIs, streamText, tool, type LanguageModel } from "ai";
import { z } from "zod";
import { expect, test, UPSTREAMS } from "./strict-provider";

type Settings = { baseURL: string; apiKey: string };

const PROVIDERS: Readonly<Record<string, (settings: Settings, model: string) => LanguageModel>> = {
  "@ai-sdk/openai": (settings, model) => createOpenAI(settings)(model),
  "@ai-sdk/openai, chat": (settings, model) => createOpenAI(settings).chat(model),
  "@ai-sdk/openai-compatible": (settings, model) =>
    createOpenAICompatible({ ...settings, name: "signalbox", supportsStructuredOutputs: true })(model),
  "@openrouter/ai-sdk-provider": (settings, model) => createOpenRouter(settings).chat(model),
  "@ai-sdk/open-responses": ({ baseURL, apiKey }, model) =>
    createOpenResponses({ name: "signalbox", url: `${baseURL}/responses`, apiKey })(model),
};

const weather = tool({
  description: "Weather of a city",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

for (const [name, create] of Object.entries(PROVIDERS))
  for (const upstream of UPSTREAMS)
    test(`${name} at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
      const model = create({ baseURL, apiKey }, await modelAt(upstream));
      const common = { model, prompt: "hi", maxRetries: 0 };
      expect((await generateText(common)).text).toBe("Hello big world");
      expect(await streamText(common).text).toBe("Hello big world");
      const turn = await generateText({ ...common, tools: { weather }, stopWhen: stepCountIs(3) });
      expect(turn.steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))).toEqual([
        "sunny in Rome",
      ]);
      expect(turn.text).toBe("Hello big world");
      const streamed = streamText({ ...common, tools: { weather }, stopWhen: stepCountIs(3) });
      expect(await streamed.text).toBe("Hello big world");
      const output = Output.object({ schema: z.object({ city: z.string() }) });
      expect((await generateText({ ...common, output })).output).toEqual({ city: "Rome" });
      expect(refused).toEqual([]);
    });
