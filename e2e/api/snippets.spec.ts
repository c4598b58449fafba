import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientSnippet, type Client } from "../../components/snippets/client-snippets";
import { requestSnippet } from "../../components/snippets/request-snippets";
import { expect, test } from "../fixtures";
import { unique } from "../world";

const run = promisify(execFile);

/** Runs code from within the repository, where the official clients are installed. */
async function runScript(text: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = join("test-results", unique("snippet"));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "main.mjs"), text);
  const { stdout } = await run(process.execPath, [join(folder, "main.mjs")], { env: { ...process.env, ...env } });
  rmSync(folder, { recursive: true });
  return stdout;
}

const RUN: Partial<Readonly<Record<Client, (text: string) => Promise<string>>>> = {
  curl: async (text) => (await run("bash", ["-c", text])).stdout,
  typescript: runScript,
  anthropic: runScript,
};

for (const [client, runClient] of Object.entries(RUN))
  test(`the code shown for ${client} works as it is`, async ({ world, serverUrl }) => {
    const { text: key } = await world.inferenceKey();
    const code = clientSnippet(client as Client, { origin: serverUrl, key, model: "sandbox/echo" });
    expect(await runClient(code)).toContain("You said: Hello");
  });

test("code with awkward texts and tools sends them unchanged", async ({ world, serverUrl }) => {
  const { text: key } = await world.inferenceKey();
  const content = 'It\'s "quoted" ${HOME} `date` \\n';
  const request = {
    origin: serverUrl,
    key: null,
    api: "chat_completions" as const,
    body: { model: "sandbox/echo", messages: [{ role: "user", content }], temperature: 0.5 },
  };
  const env = { SIGNALBOX_API_KEY: key };
  const curl = await run("bash", ["-c", requestSnippet("curl", request)], { env: { ...process.env, ...env } });
  expect(JSON.parse(curl.stdout)).toMatchObject({ choices: [{ message: { content: `You said: ${content}` } }] });
  expect(await runScript(requestSnippet("typescript", request), env)).toContain(`You said: ${content}`);
});

test("the code shown for Python is valid", async ({ world, serverUrl }) => {
  const { text: key } = await world.inferenceKey();
  const python = await run("python3", ["--version"]).catch(() => null);
  test.skip(python === null, "Python isn't installed");
  const code = clientSnippet("python", { origin: serverUrl, key, model: "sandbox/echo" });
  await run("python3", ["-c", `import ast, sys; ast.parse(sys.argv[1])`, code]);
});
