import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { accept } from "../platform/http/accept";
import type { Operation } from "../platform/http/operation";
import { TEST_SETTINGS } from "../testing/context";
import { createCompletion } from "./completions-contract";
import { createChatCompletion, createResponse } from "./contract";
import { createMessage } from "./messages-contract";

/** Names of the fields that a client's types allow to be null. */
type Nullable<Params> = { [Name in keyof Params]-?: null extends Params[Name] ? Name : never }[keyof Params];
type Nulls<Params, Ours extends string = never> = Record<Nullable<Params> | Ours, null>;

const shared = { stream: null, modalities: null, temperature: null, top_p: null } as const;

const chat: Nulls<OpenAI.ChatCompletionCreateParamsNonStreaming> = {
  ...shared,
  audio: null,
  frequency_penalty: null,
  logit_bias: null,
  logprobs: null,
  max_completion_tokens: null,
  max_tokens: null,
  metadata: null,
  moderation: null,
  n: null,
  prediction: null,
  presence_penalty: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning_effort: null,
  safety_identifier: null,
  seed: null,
  service_tier: null,
  stop: null,
  store: null,
  stream_options: null,
  top_logprobs: null,
  verbosity: null,
};
const responses: Nulls<OpenAI.Responses.ResponseCreateParamsNonStreaming, "modalities"> = {
  ...shared,
  background: null,
  context_management: null,
  conversation: null,
  include: null,
  instructions: null,
  max_output_tokens: null,
  metadata: null,
  moderation: null,
  parallel_tool_calls: null,
  previous_response_id: null,
  prompt: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: null,
  safety_identifier: null,
  service_tier: null,
  store: null,
  stream_options: null,
  top_logprobs: null,
  truncation: null,
};
const messages: Nulls<Anthropic.MessageCreateParamsNonStreaming, "stream"> = {
  cache_control: null,
  container: null,
  diagnostics: null,
  inference_geo: null,
  speed: null,
  stream: null,
};
// A prompt is required: without one, OpenAI's models continue an empty document.
const completions: Omit<Nulls<OpenAI.CompletionCreateParamsNonStreaming>, "prompt"> = {
  best_of: null,
  echo: null,
  frequency_penalty: null,
  logit_bias: null,
  logprobs: null,
  max_tokens: null,
  n: null,
  presence_penalty: null,
  seed: null,
  stop: null,
  stream: null,
  stream_options: null,
  suffix: null,
  temperature: null,
  top_p: null,
};

const turns = [{ role: "user", content: "Hello" }];
const accepted = async (operation: Operation, body: object) => {
  const request = new Request(`http://test/v1${operation.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { input } = await accept(operation, request as never, {}, TEST_SETTINGS);
  return input.body as Record<string, unknown>;
};

describe("fields that the types of OpenAI's and Anthropic's clients allow to be null", () => {
  it.each<[Operation, object, object]>([
    [createChatCompletion, { model: "a/b", messages: turns }, chat],
    [createResponse, { model: "a/b", input: "Hello" }, responses],
    [createMessage, { model: "a/b", messages: turns, max_tokens: 9 }, messages],
    [createCompletion, { model: "a/b", prompt: "Hello" }, completions],
  ])("are accepted with the value null by $id", async (operation, required, nulls) => {
    const body = await accepted(operation, { ...required, ...nulls });
    expect(body).toMatchObject({ stream: false });
    if (operation === createResponse) expect(body).toMatchObject({ store: false });
  });

  it("are accepted in the parts of a tool's result", async () => {
    const output = [
      { type: "input_image", detail: null, file_id: null, image_url: "https://example.com/a.png" },
      { type: "input_file", file_data: null, file_id: null, file_url: "https://example.com/a.pdf", filename: null },
    ];
    const input = [{ type: "function_call_output", call_id: "c", output, id: null, status: null }];
    await expect(accepted(createResponse, { model: "a/b", input })).resolves.toMatchObject({ input });
  });
});
