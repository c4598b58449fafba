import { HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { z } from "zod";
import { CITIES, expect, test, UPSTREAMS } from "./strict-provider";

const weather = tool(({ city }: { city: string }) => `sunny in ${city}`, {
  name: "weather",
  description: "Weather of a city",
  schema: z.object({ city: z.string() }),
});

for (const upstream of UPSTREAMS)
  for (const useResponsesApi of [false, true])
    test(`LangChain with ${useResponsesApi ? "responses" : "chat completions"} at a ${upstream} upstream`, async ({
      scene: { baseURL, apiKey, modelAt, refused },
    }) => {
      const model = await modelAt(upstream);
      const chat = new ChatOpenAI({ model, apiKey, configuration: { baseURL }, useResponsesApi, maxRetries: 0 });
      expect((await chat.invoke("hi")).text).toBe("Hello big world");
      let said = "";
      for await (const chunk of await chat.stream("hi")) said += chunk.text;
      expect(said).toBe("Hello big world");
      const agent = chat.bindTools([weather]);
      // LangChain's agents name the model's messages, and send them back whole.
      const history: BaseMessage[] = [new HumanMessage("weather?")];
      for (const city of CITIES) {
        const calling = await agent.invoke(history);
        calling.name = "model";
        const [call] = calling.tool_calls ?? [];
        expect(call?.args).toEqual({ city });
        history.push(calling, new ToolMessage({ tool_call_id: call?.id ?? "", content: `sunny in ${city}` }));
      }
      expect((await agent.invoke(history)).text).toBe("Hello big world");
      const structured = chat.withStructuredOutput(z.object({ city: z.string() }), {
        method: "jsonSchema",
        name: "city",
      });
      expect(await structured.invoke("where?")).toEqual({ city: "Rome" });
      expect(refused).toEqual([]);
    });
