import { describe, expect, it } from "vitest";
import type { StreamedChunk } from "../../lib/browser/chat-stream";
import {
  beforeLastAnswer,
  beforeUserTurn,
  messagesOf,
  NEW_ANSWER,
  openCalls,
  withChunk,
  type Answer,
  type Turn,
} from "./conversation";

const delta = (fields: NonNullable<StreamedChunk["choices"]>[number]["delta"]): StreamedChunk => ({
  choices: [{ index: 0, delta: fields }],
});
const answer = (fields: Partial<Answer>): Answer => ({ ...NEW_ANSWER, state: "done", ...fields });
const user = (content: string): Turn => ({ role: "user", content });
const CALL = { id: "call_1", name: "get_weather", arguments: '{"city":"Rome"}' };

describe("withChunk", () => {
  it("adds text, reasoning and the parts of tool calls", () => {
    const chunks: StreamedChunk[] = [
      delta({ role: "assistant", reasoning: "Hm." }),
      delta({ content: "Hel" }),
      delta({ content: "lo" }),
      delta({ tool_calls: [{ index: 0, id: "call_1", function: { name: "get_weather", arguments: '{"city"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':"Rome"}' } }] }),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } },
    ];
    expect(chunks.reduce(withChunk, NEW_ANSWER)).toEqual({
      ...NEW_ANSWER,
      state: "streaming",
      content: "Hello",
      reasoning: "Hm.",
      toolCalls: [CALL],
    });
  });

  it("keeps what arrived before an error", () => {
    const failed = { error: { status: 403, message: "Blocked" } };
    const last = { choices: [{ index: 0, delta: {}, finish_reason: "content_filter" }] };
    expect([failed, last].reduce(withChunk, answer({ content: "Hel" }))).toMatchObject({
      state: "failed",
      content: "Hel",
      failure: { status: 403, message: "Blocked" },
    });
  });

  it("ignores further choices", () => {
    expect(withChunk(NEW_ANSWER, { choices: [{ index: 1, delta: { content: "other" } }] }).content).toBe("");
  });
});

describe("messagesOf", () => {
  it("writes a conversation with calls and results as chat messages", () => {
    const turns = [
      user("Weather?"),
      answer({ toolCalls: [CALL] }),
      { role: "tool", toolCallId: "call_1", content: "21" } as const,
      answer({ content: "21 degrees" }),
    ];
    expect(messagesOf("Be brief", turns)).toEqual([
      { role: "system", content: "Be brief" },
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: CALL.name, arguments: CALL.arguments } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "21" },
      { role: "assistant", content: "21 degrees" },
    ]);
  });

  it("leaves out a blank system prompt and answers without content", () => {
    expect(messagesOf(" ", [user("a"), answer({ state: "failed" }), user("b")])).toEqual([
      { role: "user", content: "a" },
      { role: "user", content: "b" },
    ]);
  });
});

describe("positions in a conversation", () => {
  const turns = [user("a"), answer({ content: "1" }), user("b"), answer({ content: "2", toolCalls: [CALL] })];

  it("finds the turns before the last answer and before a message of the user", () => {
    expect(beforeLastAnswer(turns)).toEqual(turns.slice(0, 3));
    expect(beforeLastAnswer([])).toEqual([]);
    expect(beforeUserTurn(turns, 0)).toEqual([]);
    expect(beforeUserTurn(turns, 1)).toEqual(turns.slice(0, 2));
    expect(beforeUserTurn(turns, 2)).toEqual(turns);
  });

  it("finds the calls without a result", () => {
    expect(openCalls(turns)).toEqual([CALL]);
    expect(openCalls([...turns, { role: "tool", toolCallId: "call_1", content: "21" }])).toEqual([]);
    expect(openCalls([user("a"), answer({ state: "stopped", toolCalls: [CALL] })])).toEqual([]);
  });
});
