import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenRouter } from "@openrouter/ai-sdk-provider";
import { generateText, isStepCount, Output, streamText, tool, type LanguageModel, type ModelMessage } from "ai";
import { z } from "zod";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

type Settings = { baseURL: string; apiKey: string };

const PROVIDERS: Readonly<Record<string, (settings: Settings, model: string) => LanguageModel>> = {
  "@ai-sdk/openai": (settings, model) => createOpenAI(settings)(model),
  "@ai-sdk/openai, chat": (settings, model) => createOpenAI(settings).chat(model),
  "@ai-sdk/anthropic": (settings, model) => createAnthropic(settings)(model),
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
const SUNNY = CITIES.map((city) => `sunny in ${city}`);
const outputs = (steps: readonly { toolResults: readonly { output: unknown }[] }[]) =>
  steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));

for (const [name, create] of Object.entries(PROVIDERS))
  for (const upstream of UPSTREAMS)
    test(`${name} at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
      const model = create({ baseURL, apiKey }, await modelAt(upstream));
      const common = { model, prompt: "hi", maxRetries: 0 };
      expect((await generateText(common)).text).toBe("Hello big world");
      expect(await streamText(common).text).toBe("Hello big world");
      const loop = { ...common, tools: { weather }, stopWhen: isStepCount(4) };
      const whole = await generateText(loop);
      expect(outputs(whole.steps)).toEqual(SUNNY);
      expect(whole.text).toBe("Hello big world");
      const streamed = streamText(loop);
      expect(await streamed.text).toBe("Hello big world");
      expect(outputs(await streamed.steps)).toEqual(SUNNY);
      const output = Output.object({ schema: z.object({ city: z.string() }) });
      expect((await generateText({ ...common, output })).output).toEqual({ city: "Rome" });
      expect(refused).toEqual([]);
    });

for (const upstream of UPSTREAMS)
  test(`@ai-sdk/openai refers to earlier answers at a ${upstream} upstream`, async ({
    scene: { baseURL, apiKey, modelAt, refused },
  }) => {
    const sent: string[] = [];
    const fetchNoted: typeof fetch = (url, init) => {
      sent.push(String(init?.body));
      return fetch(url, init);
    };
    const model = createOpenAI({ baseURL, apiKey, fetch: fetchNoted })(await modelAt(upstream));
    const common = { model, maxRetries: 0 };
    const first = { ...common, prompt: "hi", tools: { weather }, stopWhen: isStepCount(4) };
    const streamed = streamText(first);
    await streamed.text;
    for (const response of [(await generateText(first)).response, await streamed.response]) {
      const messages: ModelMessage[] = [
        { role: "user", content: "hi" },
        ...response.messages,
        { role: "user", content: "and now?" },
      ];
      expect((await generateText({ ...common, messages })).text).toBe("Hello big world");
      expect(await streamText({ ...common, messages }).text).toBe("Hello big world");
      expect(sent.slice(-2).map((body) => body.includes('"item_reference"'))).toEqual([true, true]);
    }
    expect(refused).toEqual([]);
  });
