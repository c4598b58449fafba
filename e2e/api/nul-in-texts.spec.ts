import { getGenerationContent } from "../../lib/features/content-access/contract";
import { createChatCompletion, createResponse } from "../../lib/gateway/contract";
import { createMessage } from "../../lib/gateway/messages-contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { startFakeProvider } from "../fake-provider";
import { expect, test } from "../fixtures";
import { createUpstream } from "../world";

const BINARY = "PNG\0\0 tail";
const STORED = "PNG\ufffd\ufffd tail";
const MAX_TOKENS = 100;

/** A conversation with binary output of a tool, in each protocol, and its place in the upstream request. */
const CONVERSATIONS = [
  {
    protocol: "chat_completions",
    kind: "openai",
    operation: createChatCompletion,
    field: "messages",
    items: (output: string) => [
      { role: "user", content: "Read the file" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_1", content: output },
    ],
  },
  {
    protocol: "responses",
    kind: "openai",
    operation: createResponse,
    field: "input",
    items: (output: string) => [
      { role: "user", content: "Read the file" },
      { type: "function_call", call_id: "call_1", name: "read", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output },
    ],
  },
  {
    protocol: "messages",
    kind: "anthropic",
    operation: createMessage,
    field: "messages",
    items: (output: string) => [
      { role: "user", content: "Read the file" },
      { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: output }] },
    ],
  },
] as const;

for (const { protocol, kind, operation, field, items } of CONVERSATIONS)
  test(`a NUL in a tool result of ${protocol} is sent upstream, and replaced in the record, which says so`, async ({
    api,
    world,
  }) => {
    const fake = await startFakeProvider();
    try {
      const { model, upstreamModel } = await createUpstream(api, fake.baseUrl, undefined, { protocol, kind });
      const { text: as } = await world.inferenceKey();
      const send = async (output: string) => {
        const limit = protocol === "messages" ? { max_tokens: MAX_TOKENS } : {};
        const answer = await api.send<typeof operation>(
          operation,
          { body: { model, ...limit, [field]: items(output) } as never },
          { as },
        );
        expect(answer.status, await answer.text()).toBe(200);
        return { id: answer.headers.get("x-generation-id") ?? "" };
      };

      const query = await send(BINARY);
      const [sent] = fake.requestsFor(upstreamModel);
      expect(sent?.body[field]).toEqual(items(BINARY));
      expect((await api.call(getGeneration, { query })).data.replaced_characters).toBe(true);
      const { data } = await api.call(getGenerationContent, { query });
      expect(JSON.stringify(data.input)).toContain(STORED);
      expect(JSON.stringify(data)).not.toContain("\\u0000");

      fake.script(upstreamModel, { text: BINARY });
      const answered = await send("text");
      expect((await api.call(getGeneration, { query: answered })).data.replaced_characters).toBe(true);

      fake.script(upstreamModel, { text: "text" });
      const plain = await api.call(getGeneration, { query: await send("text") });
      expect(plain.data).not.toHaveProperty("replaced_characters");
    } finally {
      await fake.stop();
    }
  });
