import { expect, it } from "vitest";
import { messagesOf, openCalls } from "@/components/playground/conversation";
import { conversationOf } from "./conversation-of";

const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Bern"}' } };
const output = { completion: "Sunny.", reasoning: "The tool says so." };

it("has the messages of a request, so that the next one continues it", () => {
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "How is the weather?" },
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", content: "sunny", tool_call_id: "call_1" },
  ];
  const { systemPrompt, turns } = conversationOf("gen-1", { input: { messages }, output, error: null });
  expect(messagesOf(systemPrompt, turns)).toEqual([
    messages[0],
    messages[1],
    { role: "assistant", content: null, tool_calls: [call] },
    messages[3],
    { role: "assistant", content: "Sunny." },
  ]);
  expect(turns.at(-1)).toMatchObject({ generationId: "gen-1", reasoning: "The tool says so.", state: "done" });
});

it("waits for the results of tools that the answer calls", () => {
  const messages = [{ role: "user", content: "How is the weather?" }];
  const calling = { ...output, completion: "", tool_calls: [call] };
  const { turns } = conversationOf("gen-1", { input: { messages }, output: calling, error: null });
  expect(openCalls(turns)).toEqual([{ id: "call_1", name: "weather", arguments: '{"city":"Bern"}' }]);
});
