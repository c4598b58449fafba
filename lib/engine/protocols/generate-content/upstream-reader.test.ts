import { describe, expect, it } from "vitest";
import { accumulate, choicesOf, newAccumulated, type AccumulatedResponse } from "../accumulate";
import { BrokenResponse } from "../broken-response";
import { GenerateContentUpstreamReader } from "./upstream-reader";

const candidate = (parts: object[], more: object = {}) => ({ content: { role: "model", parts }, index: 0, ...more });
const answer = (given: object, more: object = {}) => ({ responseId: "r", candidates: [given], ...more });
const whole = (...parts: object[]) => answer(candidate(parts, { finishReason: "STOP" }));
const piece = (...parts: object[]) => answer(candidate(parts));
const STOP = piece({ text: "" });
const ended = (finishReason: string) => answer(candidate([], { finishReason }));

function sumOf(chunks: ReturnType<GenerateContentUpstreamReader["read"]>): AccumulatedResponse {
  const sum = newAccumulated();
  for (const chunk of chunks) accumulate(sum, chunk);
  return sum;
}
const read = (body: unknown) => sumOf(new GenerateContentUpstreamReader().readWhole(body));
function stream(...events: unknown[]): AccumulatedResponse {
  const reader = new GenerateContentUpstreamReader();
  return sumOf([...events.flatMap((event) => reader.read(event)), ...reader.end()]);
}

describe("an answer", () => {
  it("has thoughts, text, an id and a time", () => {
    const body = {
      ...whole({ text: "Hm", thought: true }, { text: "Hel" }, { text: "lo" }),
      createTime: "2026-01-02T03:04:05.678Z",
      modelVersion: "gemini-3-pro",
    };
    const [chunk] = new GenerateContentUpstreamReader().readWhole(body);
    expect(chunk).toEqual({
      id: "r",
      created: 1767323045,
      usage: null,
      choices: [
        { index: 0, delta: { content: "Hello", reasoning: "Hm" }, finish_reason: "stop", native_finish_reason: "STOP" },
      ],
    });
  });

  it("is the same whole and streamed", () => {
    const parts = [
      { text: "Hm", thought: true },
      { text: "Hello" },
      { functionCall: { name: "f", args: { a: 1 } }, thoughtSignature: "c2ln" },
      { functionCall: { name: "g" } },
    ];
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 };
    const streamed = stream(...parts.map((part) => piece(part)), { ...ended("STOP"), usageMetadata });
    expect(streamed).toEqual(read({ ...whole(...parts), usageMetadata }));
  });

  it("has calls with the upstream's ids, or ids of its own", () => {
    const { toolCalls, finishReason, lists } = read(
      whole(
        { functionCall: { id: "theirs", name: "f", args: { city: "Rome" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "g" } },
      ),
    );
    expect(finishReason).toBe("tool_calls");
    expect(toolCalls).toEqual([
      {
        id: "theirs",
        type: "function",
        function: { name: "f", arguments: '{"city":"Rome"}' },
        extra_content: { google: { thought_signature: "c2ln" } },
      },
      { id: "call_r_1", type: "function", function: { name: "g", arguments: "{}" } },
    ]);
    expect(lists.reasoning_details).toEqual([
      { type: "reasoning.encrypted", data: "c2ln", id: "theirs", format: "google-gemini-v1", index: 0 },
    ]);
  });

  it("has a signature of the text, which may come with an empty part", () => {
    const { content, lists } = stream(
      piece({ text: "Hi" }),
      piece({ text: "", thoughtSignature: "dGV4dA" }),
      ended("STOP"),
    );
    expect([content, lists.reasoning_details]).toMatchObject(["Hi", [{ data: "dGV4dA", id: null }]]);
  });

  it("has images", () => {
    const { lists } = read(
      whole(
        { inlineData: { mimeType: "image/png", data: "aGk=" }, thoughtSignature: "aW1n" },
        { fileData: { mimeType: "image/png", fileUri: "gs://b/i.png" } },
      ),
    );
    expect(lists.images).toEqual([
      { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" }, index: 0 },
      { type: "image_url", image_url: { url: "gs://b/i.png" }, index: 1 },
    ]);
    expect(lists.reasoning_details).toMatchObject([{ data: "aW1n", id: "image_0" }]);
  });

  it("has a choice for each candidate", () => {
    const first = candidate([{ functionCall: { name: "f" } }], { finishReason: "STOP" });
    const second = candidate([{ functionCall: { name: "f" } }], { index: 1, finishReason: "MAX_TOKENS" });
    const choices = choicesOf(read({ responseId: "r", candidates: [first, second] }));
    expect(choices.map(([index, { toolCalls, finishReason }]) => [index, toolCalls[0]?.id, finishReason])).toEqual([
      [0, "call_r_0", "tool_calls"],
      [1, "call_r_1_0", "length"],
    ]);
  });

  it("has log probabilities", () => {
    const token = (text: string, logProbability: number) => ({ token: text, tokenId: 1, logProbability });
    const logprobsResult = {
      chosenCandidates: [token("é", -0.1)],
      topCandidates: [{ candidates: [token("é", -0.1), token("e", -2)] }],
    };
    expect(read(answer(candidate([{ text: "é" }], { finishReason: "STOP", logprobsResult }))).lists.logprobs).toEqual([
      {
        token: "é",
        logprob: -0.1,
        bytes: [195, 169],
        top_logprobs: [
          { token: "é", logprob: -0.1, bytes: [195, 169] },
          { token: "e", logprob: -2, bytes: [101] },
        ],
      },
    ]);
  });
});

describe("a finish reason", () => {
  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["CONTINUATION", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["LANGUAGE", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
    ["MODEL_ARMOR", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["MALFORMED_FUNCTION_CALL", "error"],
    ["UNEXPECTED_TOOL_CALL", "error"],
    ["OTHER", "error"],
    ["BRAND_NEW", "error"],
  ])("%s is %s", (given, reason) => {
    expect(stream(ended(given))).toMatchObject({ finishReason: reason, nativeFinishReason: given });
  });

  it("of a blocked prompt is that of a filter", () => {
    const blocked = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: { promptTokenCount: 3 } };
    const expected = {
      finishReason: "content_filter",
      nativeFinishReason: "PROHIBITED_CONTENT",
      usage: { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 },
    };
    expect(read(blocked)).toMatchObject(expected);
    expect(stream(blocked)).toMatchObject(expected);
    const explained = { promptFeedback: { blockReason: "MODEL_ARMOR", blockReasonMessage: "Blocked by policy" } };
    expect(read(explained)).toMatchObject({ refusal: "Blocked by policy" });
  });
});

describe("usage", () => {
  it("has thoughts as part of the completion, and other kinds of tokens as details", () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 40,
      toolUsePromptTokenCount: 5,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 7,
      totalTokenCount: 132,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 90 },
        { modality: "AUDIO", tokenCount: 10 },
      ],
      candidatesTokensDetails: [{ modality: "IMAGE", tokenCount: 12 }],
    };
    expect(read({ ...whole({ text: "a" }), usageMetadata }).usage).toEqual({
      prompt_tokens: 105,
      completion_tokens: 27,
      total_tokens: 132,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 7, image_tokens: 12 },
    });
  });

  it("of a stream is the last, also after the last candidate", () => {
    const usage = (candidatesTokenCount: number) => ({ usageMetadata: { promptTokenCount: 1, candidatesTokenCount } });
    const sum = stream({ ...piece({ text: "a" }), ...usage(1) }, ended("STOP"), { responseId: "r", ...usage(9) });
    expect(sum.usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 9, total_tokens: 10 });
  });
});

describe("sources", () => {
  const citation = (url: string, start_index: number, end_index: number, more: object = {}) => ({
    type: "url_citation",
    url_citation: { url, title: "T", start_index, end_index, ...more },
  });

  it("are annotations, whose places are characters of the whole text", () => {
    const groundingMetadata = {
      webSearchQueries: ["q"],
      groundingChunks: [
        { web: { uri: "https://a.example", title: "T" } },
        { web: { uri: "https://b.example", title: "T" } },
      ],
      groundingSupports: [{ segment: { startIndex: 3, endIndex: 7, text: "Rome" }, groundingChunkIndices: [0] }],
    };
    const sum = stream(
      piece({ text: "é " }),
      answer(candidate([{ text: "Rome" }], { groundingMetadata })),
      answer(candidate([], { finishReason: "STOP", groundingMetadata })),
    );
    expect(sum.lists.annotations).toEqual([
      citation("https://a.example", 2, 6, { content: "Rome" }),
      citation("https://b.example", 0, 0),
    ]);
  });

  it.each(["citations", "citationSources"])("may be %s", (name) => {
    const citationMetadata = { [name]: [{ startIndex: 0, endIndex: 2, uri: "https://a.example", title: "T" }, {}] };
    const sum = read(answer(candidate([{ text: "Hi" }], { finishReason: "STOP", citationMetadata })));
    expect(sum.lists.annotations).toEqual([citation("https://a.example", 0, 2)]);
  });
});

describe("a broken answer", () => {
  const broken = (work: () => unknown): BrokenResponse => {
    try {
      work();
    } catch (error) {
      if (error instanceof BrokenResponse) return error;
    }
    throw new Error("expected a broken answer");
  };

  it.each<[string, () => unknown, string]>([
    [
      "a stream cut short",
      () => stream(piece({ text: "a" })),
      "The upstream's stream ended before the response was complete",
    ],
    ["nothing", () => stream(), "The upstream's stream ended before the response was complete"],
    [
      "one candidate of two that ended",
      () => stream(ended("STOP"), answer(candidate([], { index: 1 }))),
      "The upstream's stream ended before the response was complete",
    ],
    ["a whole answer without an end", () => read(STOP), "The upstream's response is not a generateContent response"],
    ["an unrelated object", () => read({ hello: 1 }), "The upstream's response is not a generateContent response"],
    ["not an object", () => read([]), "The upstream's response is not a JSON object"],
  ])("%s", (_name, work, message) => {
    expect(broken(work).message).toBe(message);
  });

  it("has the upstream's error and status", () => {
    const error = { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" };
    expect(broken(() => stream(piece({ text: "a" }), { error }))).toMatchObject({
      message: "Quota",
      status: 429,
      isReported: true,
    });
  });
});
