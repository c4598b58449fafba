import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponsesBody } from "./contracts/responses-request-contract";
import {
  collected,
  count,
  heading,
  plain,
  relayed,
  SET_IN_USAGE,
  vendor,
  without,
  withVendor,
  word,
} from "../../testing/lossless";
import { chatCompletion, chatStreamEncoder } from "./chat/stream-encoder";
import { completeResponse, responsesStreamEncoder } from "./responses/stream-encoder";
import { EFFECTIVE_SETTINGS, OWN_OF_COMPLETION, OWN_OF_RESPONSE } from "./vocabulary";

type Body = Record<string, unknown>;

const body = ResponsesBody.parse({ model: "acme/one", input: "hi" });

const token = withVendor(fc.record({ token: word, logprob: fc.constant(-0.5), bytes: fc.constant([1]) }));

const chatUsage = withVendor(
  fc.record({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    prompt_tokens_details: withVendor(fc.record({ cached_tokens: count })),
    completion_tokens_details: withVendor(fc.record({ reasoning_tokens: count })),
  }),
);
const chatCall = (index: number) =>
  fc.oneof(
    withVendor(
      fc.record({
        id: fc.constant(`c${index}`),
        type: fc.constant("function"),
        function: withVendor(fc.record({ name: word, arguments: word })),
      }),
    ),
    withVendor(
      fc.record({
        id: fc.constant(`c${index}`),
        type: fc.constant("custom"),
        custom: withVendor(fc.record({ name: word, input: word })),
      }),
    ),
  );
const annotation = withVendor(
  fc.record({ type: fc.constant("url_citation"), url_citation: withVendor(fc.record({ url: word })) }),
);
const chatContent = fc.oneof(
  word,
  fc.constant(null),
  fc.array(withVendor(fc.record({ type: fc.constantFrom("text", "reference"), text: word })), { maxLength: 3 }),
);
const message = withVendor(
  fc.record(
    {
      role: fc.constant("assistant"),
      content: chatContent,
      refusal: fc.oneof(word, fc.constant(null)),
      reasoning: word,
      tool_calls: fc.tuple(chatCall(0), chatCall(1)),
      function_call: withVendor(fc.record({ name: word, arguments: word })),
      annotations: fc.array(annotation, { minLength: 1, maxLength: 2 }),
      audio: withVendor(fc.record({ id: word, data: word, transcript: word, expires_at: count })),
      images: fc.array(withVendor(fc.record({ type: fc.constant("image_url") })), { minLength: 1, maxLength: 2 }),
      reasoning_details: fc.array(withVendor(fc.record({ type: fc.constant("reasoning.encrypted"), data: word })), {
        minLength: 1,
        maxLength: 2,
      }),
    },
    { requiredKeys: ["role", "content", "refusal"] },
  ),
);
const choices = (one: (index: number) => fc.Arbitrary<Body>) =>
  fc.integer({ min: 1, max: 3 }).chain((length) => fc.tuple(...Array.from({ length }, (_, index) => one(index))));
const envelope = {
  id: word,
  created: count,
  model: word,
  system_fingerprint: fc.oneof(word, fc.constant(null)),
  service_tier: word,
};
const completion = withVendor(
  fc.record({
    ...envelope,
    object: fc.constant("chat.completion"),
    choices: choices((index) =>
      withVendor(
        fc.record({
          index: fc.constant(index),
          message,
          finish_reason: fc.constantFrom("stop", "length", "tool_calls", "vendor_reason"),
          native_finish_reason: word,
          logprobs: fc.oneof(
            fc.constant(null),
            fc.record({ content: fc.array(token, { minLength: 1, maxLength: 2 }), refusal: fc.constant(null) }),
          ),
        }),
      ),
    ),
    usage: chatUsage,
  }),
);

describe("chat completions", () => {
  it("a whole answer passes, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(completion, async (given) => {
        const { accumulated, receipt } = await collected(given, "chat_completions");
        const { usage, ...shown } = without(plain(chatCompletion(heading, accumulated, receipt)), OWN_OF_COMPLETION);
        const { usage: used, ...expected } = without(given, OWN_OF_COMPLETION);
        expect(shown).toEqual(expected);
        expect(without(usage, SET_IN_USAGE)).toEqual(used);
      }),
    ));

  const deltaWith = (call: fc.Arbitrary<Body>, requiredKeys: "tool_calls"[]) =>
    withVendor(
      fc.record(
        {
          content: chatContent,
          refusal: fc.oneof(word, fc.constant(null)),
          reasoning: word,
          tool_calls: fc.tuple(call),
          function_call: withVendor(fc.record({ arguments: word })),
          annotations: fc.array(annotation, { maxLength: 2 }),
          audio: withVendor(fc.record({ data: word, transcript: word })),
        },
        { requiredKeys },
      ),
    );
  const index = fc.constant(0);
  const firstDelta = deltaWith(
    withVendor(
      fc.record({
        index,
        id: fc.constant("c0"),
        type: fc.constant("function"),
        function: withVendor(fc.record({ name: word, arguments: word })),
      }),
    ),
    ["tool_calls"],
  );
  const delta = deltaWith(withVendor(fc.record({ index, function: withVendor(fc.record({ arguments: word })) })), []);
  const chunk = (choice: fc.Arbitrary<Body>) =>
    withVendor(
      fc.record({
        ...envelope,
        object: fc.constant("chat.completion.chunk"),
        choices: fc.tuple(choice),
        obfuscation: word,
      }),
    );
  const choiceOf = (index: number, fields: fc.Arbitrary<Body>, finish_reason: string | null) =>
    withVendor(
      fc.record({
        index: fc.constant(index),
        delta: fields,
        finish_reason: fc.constant(finish_reason),
        logprobs: fc.constant(null),
      }),
    );
  const begins = (index: number) =>
    chunk(
      choiceOf(
        index,
        firstDelta.map((fields) => ({ role: "assistant", ...fields })),
        null,
      ),
    );
  const stream = fc
    .tuple(
      fc.tuple(begins(0), begins(1)),
      fc.array(
        fc.integer({ min: 0, max: 1 }).chain((index) => chunk(choiceOf(index, delta, null))),
        { maxLength: 5 },
      ),
      fc.tuple(chunk(choiceOf(1, fc.constant({}), "length")), chunk(choiceOf(0, delta, "stop"))),
    )
    .map((parts) => parts.flat());

  it("a stream passes event by event, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(stream, chatUsage, async (events, usage) => {
        const last = { ...events[0], choices: [], usage };
        const encoder = chatStreamEncoder(heading, { includesUsage: true, echo: null });
        const shown = await relayed([...events, last], encoder, "chat_completions");
        const end = shown.pop();
        expect(shown.map((event) => without(event, OWN_OF_COMPLETION))).toEqual(
          events.map((event) => without(event, OWN_OF_COMPLETION)),
        );
        expect(without(end?.["usage"], SET_IN_USAGE)).toEqual(usage);
      }),
    ));
});

describe("responses", () => {
  const part = withVendor(
    fc.record({
      type: fc.constant("output_text"),
      text: word,
      annotations: fc.array(withVendor(fc.record({ type: fc.constant("url_citation"), url: word })), { maxLength: 2 }),
      logprobs: fc.array(token, { maxLength: 2 }),
    }),
  );
  const named = (prefix: string) => fc.stringMatching(/^[a-z0-9]{4}$/).map((id) => `${prefix}_${id}`);
  const status = fc.constant("completed");
  const item = fc.oneof(
    withVendor(
      fc.record({
        type: fc.constant("message"),
        id: named("msg"),
        role: fc.constant("assistant"),
        status,
        phase: fc.constant("final_answer"),
        content: fc.array(part, { minLength: 1, maxLength: 2 }),
      }),
    ),
    withVendor(
      fc.record({
        type: fc.constant("reasoning"),
        id: named("rs"),
        summary: fc.array(fc.record({ type: fc.constant("summary_text"), text: word }), { maxLength: 2 }),
        encrypted_content: word,
      }),
    ),
    withVendor(
      fc.record({
        type: fc.constant("function_call"),
        id: named("fc"),
        call_id: named("call"),
        name: word,
        arguments: word,
        status,
      }),
    ),
    withVendor(
      fc.record({
        type: fc.constant("custom_tool_call"),
        id: named("ctc"),
        call_id: named("call"),
        name: word,
        input: word,
        status,
      }),
    ),
    withVendor(fc.record({ type: fc.constant("web_search_call"), id: named("ws"), status })),
    withVendor(fc.record({ type: fc.constant("brand_new_item"), id: named("bn") })),
  );
  const usage = withVendor(
    fc.record({
      input_tokens: count,
      input_tokens_details: withVendor(fc.record({ cached_tokens: count })),
      output_tokens: count,
      output_tokens_details: withVendor(fc.record({ reasoning_tokens: count })),
      total_tokens: count,
    }),
  );
  const number = fc.oneof(fc.constant(0.5), fc.constant(null));
  const response = withVendor(
    fc.record({
      id: named("resp"),
      object: fc.constant("response"),
      created_at: count,
      completed_at: count,
      status,
      error: fc.constant(null),
      incomplete_details: fc.constant(null),
      instructions: fc.constant(null),
      max_output_tokens: number,
      max_tool_calls: number,
      model: word,
      output: fc.array(item, { maxLength: 4 }),
      parallel_tool_calls: fc.boolean(),
      reasoning: withVendor(fc.record({ effort: fc.constantFrom("low", null), summary: fc.constant(null) })),
      service_tier: fc.constantFrom("default", "flex"),
      temperature: number,
      top_p: number,
      top_logprobs: number,
      frequency_penalty: number,
      presence_penalty: number,
      truncation: fc.constantFrom("auto", "disabled", null),
      usage,
    }),
  );
  const settled = (given: Body) => {
    const fields = without(given, OWN_OF_RESPONSE);
    for (const [name, value] of Object.entries(EFFECTIVE_SETTINGS)) fields[name] ??= value;
    return fields;
  };

  it("a whole answer passes, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(response, async (given) => {
        const { accumulated, receipt } = await collected(given, "responses");
        const shown = plain(completeResponse(heading, body, accumulated, receipt));
        expect(without(shown, OWN_OF_RESPONSE)).toEqual(settled(given));
        expect(without(shown["usage"], SET_IN_USAGE)).toEqual(given["usage"]);
      }),
    ));

  it("a stream passes event by event, but for what Signalbox sets", () =>
    fc.assert(
      fc.asyncProperty(response, fc.array(vendor, { maxLength: 4 }), async (given, further) => {
        const events: Body[] = [
          ...(given["output"] as Body[]).map((done, output_index) => ({
            type: "response.output_item.done",
            output_index,
            item: done,
          })),
          ...further.map((fields) => ({ type: "response.brand_new.event", ...fields })),
        ];
        const preamble = { type: "response.created", response: { ...given, status: "in_progress", output: [] } };
        const all = [preamble, ...events, { type: "response.completed", response: given }];
        const shown = await relayed(
          all.map((event, sequence_number) => ({ ...event, sequence_number })),
          responsesStreamEncoder(heading, body, null),
          "responses",
        );
        expect(shown.slice(1, -1).map((event) => without(event, ["sequence_number"]))).toEqual(events);
        const last = shown.at(-1)?.["response"] as Body;
        expect(without(last, OWN_OF_RESPONSE)).toEqual(settled(given));
        expect(without(last["usage"], SET_IN_USAGE)).toEqual(given["usage"]);
      }),
    ));
});
