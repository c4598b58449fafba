import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { StrictConverseBody } from "../../lib/testing/strict-converse";
import { StrictGenerateContentBody } from "../../lib/testing/strict-generate-content";
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
  /** Creates a model whose upstream returns this error. */
  failingModel: (status: number, error: object, headers?: Readonly<Record<string, string>>) => Promise<string>;
  /** Requests that the upstream rejected, with reasons; empty when every request was valid. */
  refused: readonly string[];
}

/** Arguments of the commands that coding agents run. */
const COMMANDS: Readonly<Record<string, object>> = {
  shell: { command: ["echo", "signalbox-ran-this"] },
  shell_command: { command: "echo signalbox-ran-this" },
  exec_command: { cmd: "echo signalbox-ran-this" },
  bash: { command: "echo signalbox-ran-this", description: "Prints a line" },
};

type Json = Record<string, unknown>;

/** True if a part of a history is the result of a call, in any protocol. */
const isResult = (part: Json) =>
  part["role"] === "tool" ||
  part["type"] === "function_call_output" ||
  part["type"] === "tool_result" ||
  "functionResponse" in part ||
  "toolResult" in part;

function countResults(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + countResults(part), 0);
  if (typeof value !== "object" || value === null) return 0;
  return isResult(value as Json) ? 1 : countResults(Object.values(value));
}

/** Names of the offered tools, in any protocol. */
function toolNames(body: Json): string[] {
  const tools = [...((body["tools"] ?? []) as Json[]), ...((body["toolConfig"] as { tools?: Json[] })?.tools ?? [])];
  return tools.flatMap((tool) => {
    const declared = (tool["functionDeclarations"] ?? [tool["function"] ?? tool["toolSpec"] ?? tool]) as Json[];
    return declared.map(({ name }) => String(name));
  });
}

/** True if a JSON response is requested, in any protocol. */
function wantsJson(body: Json): boolean {
  const formatIn = (field: string) => (body[field] as Json | undefined)?.["format"];
  const format = (body["response_format"] ?? formatIn("text") ?? formatIn("output_config")) as Json | undefined;
  const generation = body["generationConfig"] as Json | undefined;
  return format?.["type"] === "json_schema" || Boolean(generation?.["responseJsonSchema"] ?? body["outputConfig"]);
}

/** Cities whose weather the model requests, one after another. */
export const CITIES = ["Rome", "Oslo"] as const;

/** Calls an offered command once and the weather for each city, returns JSON when requested, and greets otherwise. */
function answerTo({ body }: Received): FakeAnswer {
  const results = countResults(body["messages"] ?? body["input"] ?? body["contents"]);
  const names = toolNames(body);
  const id = `call_${randomUUID().replaceAll("-", "")}`;
  const command = names.find((name) => name in COMMANDS);
  if (results === 0 && command)
    return { toolCalls: [{ id, name: command, arguments: JSON.stringify(COMMANDS[command]) }] };
  const city = CITIES[results];
  const weather = names.find((name) => name === "weather");
  if (city && weather) return { toolCalls: [{ id, name: weather, arguments: JSON.stringify({ city }) }] };
  // Some clients request JSON with a tool of this name.
  if (names.includes("json")) return { toolCalls: [{ id, name: "json", arguments: '{"city":"Rome"}' }] };
  return { text: wantsJson(body) ? '{"city":"Rome"}' : "Hello big world" };
}

const STRICT: readonly (readonly [path: RegExp, schema: z.ZodType])[] = [
  [/\/chat\/completions$/, StrictChatBody],
  [/\/responses$/, StrictResponsesBody],
  [/\/messages$/, StrictMessagesBody],
  [/:(?:generateContent|streamGenerateContent\?alt=sse)$/, StrictGenerateContentBody],
  [/\/converse(?:-stream)?$/, StrictConverseBody],
];

/** The provider for each upstream protocol. */
const PROVIDERS = {
  chat_completions: { kind: "openai" },
  responses: { kind: "openai" },
  messages: { kind: "anthropic" },
  generate_content: { kind: "gemini", api_key: "gemini-key" },
  converse: { kind: "bedrock", api_key: "bedrock-key", settings: { region: "eu-west-1" } },
} as const;
export const UPSTREAMS = ["chat_completions", "responses", "messages", "generate_content", "converse"] as const;

/** Tests of a client against Signalbox with a strict upstream behind it. */
export const test = base.extend<{ scene: Scene }>({
  scene: async ({ api, world, serverUrl }, use) => {
    const refused: string[] = [];
    const provider: FakeProvider = await startFakeProvider({
      answer: (request) => {
        const schema = STRICT.find(([path]) => path.test(request.path))?.[1];
        const problem = schema ? schema.safeParse(request.body).error?.message : `unknown path ${request.path}`;
        if (problem === undefined) return answerTo(request);
        refused.push(problem);
        return { status: 400, body: { error: { message: problem } } };
      },
    });
    const { text } = await world.inferenceKey();
    const modelAt: Scene["modelAt"] = async (protocol) => {
      const price = { prompt: "1", completion: "2" };
      return (await createUpstream(api, provider.baseUrl, price, { ...PROVIDERS[protocol], protocol })).model;
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

export { expect } from "@playwright/test";
