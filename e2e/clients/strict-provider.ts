import { StrictMessagesBody } from "../../lib/testing/strict-messages";
import { StrictChatBody, StrictResponsesBody } from "../../lib/testing/strict-upstream";
import { startFakeProvider, type FakeProvider, type Received } from "../fake-provider";
import type { FakeAnswer } from "../fake-provider-answers";
import { test as base } from "../fixtures";
import { createUpstream } from "../world";

interface Scene {
  /** Signalbox's base URL, with `/v1`. */
  baseURL: string;
  apiKey: string;
  /** Creates a model at a strict upstream. */
  modelAt: (protocol: (typeof UPSTREAMS)[number]) => Promise<string>;
  /** Creates a model whose upstream answers with this error. */
  failingModel: (status: number, error: object, headers?: Readonly<Record<string, string>>) => Promise<string>;
  /** Requests that the upstream refused, with reasons; empty when every request was valid. */
  refused: readonly string[];
}

/** The arguments of the commands that coding agents run. */
const COMMANDS: Readonly<Record<string, object>> = {
  shell: { command: ["echo", "signalbox-ran-this"] },
  shell_command: { command: "echo signalbox-ran-this" },
  exec_command: { cmd: "echo signalbox-ran-this" },
  bash: { command: "echo signalbox-ran-this", description: "Prints a line" },
};

type Json = Record<string, unknown>;

/** Calls an offered tool once, answers JSON when requested, and greets otherwise. */
function answerTo({ body }: Received): FakeAnswer {
  const items = (body["messages"] ?? body["input"]) as string | readonly Json[];
  const last = typeof items === "string" ? {} : (items.at(-1) ?? {});
  const content = Array.isArray(last["content"]) ? (last["content"] as Json[]) : [];
  const isAnswered =
    last["role"] === "tool" ||
    last["type"] === "function_call_output" ||
    content.some(({ type }) => type === "tool_result");
  const names = ((body["tools"] ?? []) as Json[]).map((tool) =>
    String(tool["name"] ?? (tool["function"] as Json | undefined)?.["name"]),
  );
  const command = names.find((name) => name in COMMANDS);
  if (!isAnswered && command) return { toolCalls: [{ name: command, arguments: JSON.stringify(COMMANDS[command]) }] };
  if (!isAnswered && names.includes("weather"))
    return { toolCalls: [{ name: "weather", arguments: '{"city":"Rome"}' }] };
  const formatIn = (field: string) => (body[field] as Json | undefined)?.["format"];
  const format = (body["response_format"] ?? formatIn("text") ?? formatIn("output_config")) as Json | undefined;
  return { text: format?.["type"] === "json_schema" ? '{"city":"Rome"}' : "Hello big world" };
}

const STRICT = {
  "/chat/completions": StrictChatBody,
  "/responses": StrictResponsesBody,
  "/messages": StrictMessagesBody,
} as const;

/** Tests of a client against Signalbox with a strict upstream behind it. */
export const test = base.extend<{ scene: Scene }>({
  scene: async ({ api, world, serverUrl }, use) => {
    const refused: string[] = [];
    const provider: FakeProvider = await startFakeProvider({
      answer: (request) => {
        const { error } = STRICT[request.path as keyof typeof STRICT].safeParse(request.body);
        if (!error) return answerTo(request);
        refused.push(error.message);
        return { status: 400, body: { error: { message: error.message } } };
      },
    });
    const { text } = await world.inferenceKey();
    const modelAt: Scene["modelAt"] = async (protocol) => {
      const kind = protocol === "messages" ? "anthropic" : "openai";
      return (await createUpstream(api, provider.baseUrl, { prompt: "1", completion: "2" }, { kind, protocol })).model;
    };
    await use({
      baseURL: `${serverUrl}/v1`,
      apiKey: text,
      modelAt,
      failingModel: async (status, error, headers = {}) => {
        const model = await modelAt("chat_completions");
        provider.script(model.slice(model.indexOf("/") + 1), { status, body: { error }, headers });
        return model;
      },
      refused,
    });
    await provider.stop();
  },
});

export const UPSTREAMS = ["chat_completions", "responses", "messages"] as const;

export { expect } from "@playwright/test";
