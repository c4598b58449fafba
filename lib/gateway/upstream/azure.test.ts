import { expect, it } from "vitest";
import { accumulate, newAccumulated } from "../../engine/protocols/accumulate";
import { eachChunk } from "../../engine/protocols/chunk-batches";
import { statusForCaller, AttemptFailed, upstreamErrorIn } from "../../engine/protocols/upstream-failure";
import { readResponse } from "../../testing/read-response";

const SAFE = { hate: { filtered: false, severity: "safe" }, violence: { filtered: false, severity: "safe" } };
const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4o" };

/** A stream of Azure OpenAI with the results of its content filter; the first chunk has no choices. */
const STREAM = [
  {
    id: "",
    object: "",
    created: 0,
    model: "",
    choices: [],
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }],
  },
  {
    ...head,
    choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, content_filter_results: {} }],
  },
  { ...head, choices: [{ index: 0, delta: { content: "Hi" }, finish_reason: null, content_filter_results: SAFE }] },
  { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop", content_filter_results: {} }] },
  { ...head, choices: [], usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 } },
];

it("a stream may begin with results of the content filter", async () => {
  const text = [...STREAM.map((one) => JSON.stringify(one)), "[DONE]"].map((data) => `data: ${data}\n\n`).join("");
  const sum = newAccumulated();
  const response = new Response(text, { headers: { "content-type": "text/event-stream" } });
  for await (const chunk of eachChunk(readResponse(response, "chat_completions"))) accumulate(sum, chunk);
  expect(sum).toMatchObject({ content: "Hi", finishReason: "stop", usage: { total_tokens: 6 } });
});

it("a prompt that the content filter rejects stays a 400 with its code", () => {
  const raw = JSON.stringify({
    error: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: "prompt",
      code: "content_filter",
      status: 400,
      innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: SAFE },
    },
  });
  expect(statusForCaller(new AttemptFailed(400, "", { raw }))).toBe(400);
  expect(upstreamErrorIn(raw)).toMatchObject({ code: "content_filter", param: "prompt" });
});
