import { expect, it } from "vitest";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import type { UpstreamProtocol } from "../../engine/protocols/vocabulary";
import { readResponse } from "../../testing/read-response";

const SSE = { headers: { "content-type": "text/event-stream" } };

/** A healthy response of "ab" in each protocol that has server-sent events. */
const ANSWERS: Readonly<Record<Exclude<UpstreamProtocol, "converse">, readonly object[]>> = {
  chat_completions: ["a", "b"].map((content) => ({
    choices: [{ index: 0, delta: { content }, finish_reason: content === "b" ? "stop" : null }],
  })),
  responses: [
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "a" },
    { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "b" },
    { type: "response.completed", response: { id: "r", status: "completed", output: [] } },
  ],
  messages: [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "b" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ],
  generate_content: ["a", "b"].map((text) => ({
    candidates: [{ content: { parts: [{ text }] }, ...(text === "b" && { finishReason: "STOP" }) }],
  })),
};

const KEEP_ALIVES = {
  "event: ping with an empty object": "event: ping\ndata: {}\n\n",
  "event: ping with empty data": "event: ping\ndata:\n\n",
  "event: ping with a time": "event: ping\ndata: 2026-11-28T06:00:00Z\n\n",
  "event: ping of Messages": 'event: ping\ndata: {"type": "ping"}\n\n',
  "event: heartbeat with null": "event: heartbeat\ndata: null\n\n",
  "event: keepalive with an object": 'event: keepalive\ndata: {"time": 1}\n\n',
  "empty data without a name": "data:\n\n",
  "an empty object without a name": "data: {}\n\n",
  "the type keepalive": 'data: {"type": "keepalive", "sequence_number": 3}\n\n',
};

const cases = (Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]).flatMap((protocol) =>
  Object.entries(KEEP_ALIVES).map(([name, event]) => [name, protocol, event] as const),
);

it.each(cases)("%s from a %s upstream is no part of the answer, like a comment", async (_name, protocol, event) => {
  const text = ANSWERS[protocol].map((one) => `data: ${JSON.stringify(one)}\n\n`);
  const sum = newAccumulated();
  const body = [event, ...text.flatMap((one) => [one, event])].join("");
  for await (const chunk of eachChunk(readResponse(new Response(body, SSE), protocol))) accumulate(sum, chunk);
  expect(sum).toMatchObject({ content: "ab", finishReason: "stop" });
});
