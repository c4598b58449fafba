import { Mistral } from "@mistralai/mistralai";
import type { ChatCompletionRequestMessage, Tool } from "@mistralai/mistralai/models/components";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

const tools: (Tool & { type: "function" })[] = [
  {
    type: "function",
    function: {
      name: "weather",
      description: "Weather of a city",
      parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  },
];

for (const upstream of UPSTREAMS)
  test(`@mistralai/mistralai at a ${upstream} upstream`, async ({ scene: { baseURL, apiKey, modelAt, refused } }) => {
    const model = await modelAt(upstream);
    // The client appends `/v1/chat/completions`.
    const mistral = new Mistral({ apiKey, serverURL: baseURL.replace(/\/v1$/, "") });
    const messages: ChatCompletionRequestMessage[] = [{ role: "user", content: "weather?" }];
    for (const city of CITIES) {
      // The client has a special word for any tool.
      const { choices } = await mistral.chat.complete({ model, messages, tools, toolChoice: "any" });
      const message = choices[0]?.message;
      const [call] = message?.toolCalls ?? [];
      expect(call?.function).toEqual({ name: "weather", arguments: JSON.stringify({ city }) });
      messages.push({ ...message, role: "assistant" });
      messages.push({ role: "tool", name: "weather", toolCallId: call?.id ?? "", content: `sunny in ${city}` });
    }
    const whole = await mistral.chat.complete({ model, messages, tools });
    expect(whole.choices[0]?.message?.content).toBe("Hello big world");
    let said = "";
    for await (const { data } of await mistral.chat.stream({ model, messages, tools }))
      said += String(data.choices[0]?.delta.content ?? "");
    expect(said).toBe("Hello big world");
    expect(refused).toEqual([]);
  });
