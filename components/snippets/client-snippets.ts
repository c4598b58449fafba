import { KEY_VARIABLE } from "./key-variable";
import { requestSnippet, type SnippetRequest } from "./request-snippets";

export const CLIENTS = ["curl", "typescript", "python", "anthropic", "ai-sdk", "codex", "claude-code"] as const;
export type Client = (typeof CLIENTS)[number];

export const CLIENT_TITLES: Readonly<Record<Client, string>> = {
  curl: "curl",
  typescript: "OpenAI TypeScript",
  python: "OpenAI Python",
  anthropic: "Anthropic TypeScript",
  "ai-sdk": "AI SDK",
  codex: "Codex",
  "claude-code": "Claude Code",
};

export interface Connection {
  origin: string;
  /** The key itself. */
  key: string;
  model: string;
}

const PROMPT = "Hello";

/** Anthropic's clients append `/v1/messages` to their base URL, OpenAI's append `/responses`. */
export const baseUrlOf = (client: Client, origin: string): string =>
  client === "anthropic" || client === "claude-code" ? origin : `${origin}/v1`;

const hello = ({ model, ...connection }: Connection): SnippetRequest => ({
  ...connection,
  api: "responses",
  body: { model, input: PROMPT },
});

const WRITERS: Readonly<Record<Client, (connection: Connection) => string>> = {
  curl: (connection) => requestSnippet("curl", hello(connection)),
  typescript: (connection) => requestSnippet("typescript", hello(connection)),
  python: (connection) => requestSnippet("python", hello(connection)),
  anthropic: ({ origin, key, model }) =>
    [
      `import Anthropic from "@anthropic-ai/sdk";`,
      ``,
      `const client = new Anthropic({ baseURL: "${origin}", apiKey: "${key}" });`,
      `const message = await client.messages.create({`,
      `  model: "${model}",`,
      `  max_tokens: 1024,`,
      `  messages: [{ role: "user", content: "${PROMPT}" }],`,
      `});`,
      `console.log(message.content);`,
    ].join("\n"),
  "ai-sdk": ({ origin, key, model }) =>
    [
      `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";`,
      `import { generateText } from "ai";`,
      ``,
      `const signalbox = createOpenAICompatible({`,
      `  name: "signalbox",`,
      `  baseURL: "${origin}/v1",`,
      `  apiKey: "${key}",`,
      `});`,
      `const { text } = await generateText({ model: signalbox("${model}"), prompt: "${PROMPT}" });`,
      `console.log(text);`,
    ].join("\n"),
  codex: ({ origin, key, model }) =>
    [
      `# ~/.codex/config.toml`,
      `# In the shell: export ${KEY_VARIABLE}="${key}"`,
      `model = "${model}"`,
      `model_provider = "signalbox"`,
      ``,
      `[model_providers.signalbox]`,
      `name = "Signalbox"`,
      `base_url = "${origin}/v1"`,
      `env_key = "${KEY_VARIABLE}"`,
      `wire_api = "responses"`,
    ].join("\n"),
  "claude-code": ({ origin, key, model }) =>
    JSON.stringify({ env: { ANTHROPIC_BASE_URL: origin, ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: model } }, null, 2),
};

/** Instructions for snippets of settings. */
export const CLIENT_HINTS: Partial<Readonly<Record<Client, string>>> = {
  codex: "Add to ~/.codex/config.toml, and export the key in the shell.",
  "claude-code": "Add to ~/.claude/settings.json. The model must support tools.",
};

/** Code or settings that connect a client with a key. */
export const clientSnippet = (client: Client, connection: Connection): string => WRITERS[client](connection);
