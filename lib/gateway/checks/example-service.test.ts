import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import ts from "typescript";
import { expect, it, onTestFinished } from "vitest";
import { check } from "../../features/policy-check/service";
import { createSandbox } from "../../server/bootstrap";
import { freePort } from "../../testing/free-port";
import { TEST_SETTINGS } from "../../testing/context";
import { testWorld } from "../../testing/test-context";

const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

/** Runs the server of docs/external-checks.md. */
async function exampleServer(): Promise<string> {
  const document = await readFile("docs/external-checks.md", "utf8");
  const source = /```ts\n([\s\S]*?)```/.exec(document)?.[1] ?? "";
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const folder = await mkdtemp(path.join(tmpdir(), "check-"));
  const file = path.join(folder, "check.mjs");
  await writeFile(file, outputText);
  const port = await freePort();
  const server = spawn(process.execPath, [file], { env: { NODE_ENV: "test", PORT: String(port), SECRET } });
  onTestFinished(async () => {
    server.kill();
    await rm(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect.poll(() => fetch(url, { method: "POST" })).toBeInstanceOf(Response);
  return url;
}

it("the documented server allows, blocks, redacts, and rejects what isn't signed", async () => {
  const url = await exampleServer();
  const now = new Date();
  const { context, organizationId } = await testWorld({
    now,
    settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true },
  });
  await createSandbox(context.db, organizationId, now);
  const outcomeOf = async (input: string, secret: string | null = SECRET) => {
    const { data } = await check(context, {
      params: {},
      query: {},
      body: {
        request: { model: "sandbox/echo", input },
        protocol: "responses",
        drafts_only: true,
        guardrails: [{ external_checks: [{ name: "example", url, secret }] }],
      },
    });
    return data;
  };
  expect(await outcomeOf("hello")).toMatchObject({ outcome: "allowed" });
  expect(await outcomeOf("About Project Falcon")).toMatchObject({
    outcome: "blocked",
    message: "Request blocked by external check: example (Mentions a secret project)",
  });
  expect(await outcomeOf("Ask EMP-12345")).toMatchObject({
    outcome: "redacted",
    request: { messages: [{ content: "Ask [EMPLOYEE]" }] },
  });
  for (const secret of [null, `whsec_${Buffer.alloc(32, 6).toString("base64")}`])
    expect((await outcomeOf("hello", secret)).message).toContain("The endpoint returned status 401");
});
