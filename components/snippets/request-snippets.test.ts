import { runInNewContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { CLIENTS, clientSnippet } from "./client-snippets";
import { LANGUAGES, requestSnippet, shellQuoted, type SnippetRequest } from "./request-snippets";

const request: SnippetRequest = {
  origin: "https://box.example",
  key: null,
  api: "chat_completions",
  body: {
    model: "sandbox/echo",
    messages: [{ role: "user", content: 'It\'s "quoted"\nand ${odd} \\ here' }],
    temperature: 0.5,
    tools: [{ type: "function", function: { name: "weather", parameters: { type: "object", "x-y": true, z: null } } }],
  },
};
const connection = { origin: "https://box.example", key: "sb-key-v1-abc", model: "acme/large" };

/** Returns the syntax errors of a module. */
const syntaxErrors = (text: string) =>
  ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { module: ts.ModuleKind.ESNext } }).diagnostics;

/** Evaluates the argument of the call in a snippet. */
const argumentOf = (text: string): unknown =>
  runInNewContext(`({${/create\(\{\n([\s\S]*)\n\}\);/.exec(text)?.[1] ?? ""}})`);

describe("requestSnippet", () => {
  it("writes the body for a shell", () => {
    const text = requestSnippet("curl", request);
    const quoted = text.slice(text.indexOf("-d ") + "-d ".length);
    expect(shellQuoted(JSON.stringify(request.body, null, 2))).toBe(quoted);
    expect(text).toContain("https://box.example/v1/chat/completions");
  });

  it("writes the body as an object of TypeScript", () => {
    const text = requestSnippet("typescript", request);
    expect(syntaxErrors(text)).toEqual([]);
    expect(argumentOf(text)).toEqual(request.body);
  });

  it("writes constants of Python", () => {
    const text = requestSnippet("python", request);
    expect(text).toContain('"x-y": True, "z": None');
    expect(text).toContain('api_key=os.environ["SIGNALBOX_API_KEY"]');
  });

  it.each(LANGUAGES)("has the key itself in %s if it is given", (language) => {
    const text = requestSnippet(language, { ...request, key: connection.key });
    expect(text).toContain(connection.key);
    expect(text).not.toContain("SIGNALBOX_API_KEY");
  });
});

describe("clientSnippet", () => {
  it.each(CLIENTS)("connects %s with the server, the key and the model", (client) => {
    const text = clientSnippet(client, connection);
    for (const value of Object.values(connection)) expect(text).toContain(value);
  });

  it.each(["typescript", "anthropic", "ai-sdk"] as const)("is valid code for %s", (client) => {
    expect(syntaxErrors(clientSnippet(client, connection))).toEqual([]);
  });

  it("is valid JSON for Claude Code, whose base URL has no version", () => {
    expect(JSON.parse(clientSnippet("claude-code", connection))).toEqual({
      env: {
        ANTHROPIC_BASE_URL: "https://box.example",
        ANTHROPIC_AUTH_TOKEN: connection.key,
        ANTHROPIC_MODEL: connection.model,
      },
    });
  });
});
