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
  modelAt: (protocol: "chat_completions" | "responses") => Promise<string>;
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
  const isAnswered = last["role"] === "tool" || last["type"] === "function_call_output";
  const names = ((body["tools"] ?? []) as Json[]).map((tool) =>
    String(tool["name"] ?? (tool["function"] as Json | undefined)?.["name"]),
  );
  const command = names.find((name) => name in COMMANDS);
  if (!isAnswered && command) return { toolCalls: [{ name: command, arguments: JSON.stringify(COMMANDS[command]) }] };
  if (!isAnswered && names.includes("weather"))
    return { toolCalls: [{ name: "weather", arguments: '{"city":"Rome"}' }] };
  const format = (body["response_format"] ?? (body["text"] as Json | undefined)?.["format"]) as Json | undefined;
  return { text: format?.["type"] === "json_schema" ? '{"city":"Rome"}' : "Hello big world" };
}

/** Tests of a client against Signalbox with a strict upstream behind it. */
export const test = base.extend<{ scene: Scene }>({
  scene: async ({ api, world, serverUrl }, use) => {
    const refused: string[] = [];
    const provider: FakeProvider = await startFakeProvider({
      answer: (request) => {
        const strict = request.path === "/responses" ? StrictResponsesBody : StrictChatBody;
        const { error } = strict.safeParse(request.body);
        if (!error) return answerTo(request);
        refused.push(error.message);
        return { status: 400, body: { error: { message: error.message } } };
      },
    });
    const { text } = await world.inferenceKey();
    await use({
      baseURL: `${serverUrl}/v1`,
      apiKey: text,
      modelAt: async (protocol) =>
        (await createUpstream(api, provider.baseUrl, { prompt: "1", completion: "2" }, { protocol })).model,
      refused,
    });
    await provider.stop();
  },
});

export const UPSTREAMS = ["chat_completions", "responses"] as const;

export { expect } from "@playwright/test";
