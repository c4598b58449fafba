// npm run bench:gateway: inference through us and through another gateway, beside the upstream itself, in one run on one machine.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startServer, type Server } from "../e2e/server";
import { freePort } from "../lib/testing/free-port";
import { startPostgres } from "../lib/testing/postgres";
import type { Target } from "./load";
import { measure, sayMachine } from "./measure";

const KEY = randomBytes(24).toString("hex");
const PATTERN = "secret-[0-9]+";
const PROMPT = "Summarize the meeting notes in three sentences. ".repeat(20);
const body = { model: "bench/model", messages: [{ role: "user", content: PROMPT }] };

/** Starts a Node program of ours or of a package and waits until it answers. */
async function startProgram(file: string, args: string[], port: number, variables: Record<string, string> = {}) {
  const env = { PATH: process.env["PATH"], NODE_ENV: "production" as const, ...variables };
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await fetch(url).catch(() => null)) return { url, stop: () => child.kill() };
    await sleep(50);
  }
  throw new Error(`${file} did not start`);
}

async function call(url: string, path: string, method: string, sent: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(sent) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A provider, its model, and a key under a guardrail with filter and budget; returns the key. */
async function seed({ url }: Server, upstream: string): Promise<string> {
  await call(url, "/providers", "POST", { slug: "bench", name: "Bench", base_url: `${upstream}/v1`, api_key: "x" });
  const price = { prompt: "0.5", completion: "1.5" };
  await call(url, "/models", "POST", {
    slug: "bench/model",
    endpoints: [{ provider: "bench", upstream_model: "model", price }],
  });
  const { data, key } = (await call(url, "/keys", "POST", { name: "Bench" })) as {
    data: { hash: string };
    key: string;
  };
  const rules = {
    allowed_models: ["bench/model"],
    limit_usd: 1_000_000,
    reset_interval: "monthly",
    content_filters: [{ pattern: PATTERN, action: "block" }],
  };
  const guardrail = (await call(url, "/guardrails", "POST", { name: "Bench", ...rules })) as { data: { id: string } };
  await call(url, `/guardrails/${guardrail.data.id}/assignments/keys`, "POST", { key_hashes: [data.hash] });
  return key;
}

const dataDir = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
const postgres = await startPostgres({ durable: true });
const stops: (() => unknown)[] = [postgres.stop, () => rmSync(dataDir, { recursive: true, force: true })];
const launch = async (name: string, variables: Record<string, string>) => {
  const shared = {
    SIGNALBOX_MANAGEMENT_KEY: KEY,
    SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0",
    SIGNALBOX_LOG_LEVEL: "error",
    SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
  };
  const server = await startServer({ name, variables: { ...shared, ...variables } }, 300_000);
  stops.unshift(server.stop);
  return server;
};
try {
  const upstreamPort = await freePort();
  const upstream = await startProgram(fileURLToPath(new URL("upstream.mjs", import.meta.url)), [], upstreamPort, {
    PORT: String(upstreamPort),
  });
  stops.unshift(upstream.stop);
  const otherPort = await freePort();
  const otherFile = createRequire(import.meta.url).resolve("@portkey-ai/gateway/build/start-server.js");
  const other = await startProgram(otherFile, ["--headless", `--port=${otherPort}`], otherPort);
  stops.unshift(other.stop);
  const onPostgres = await launch("bench-postgres", {
    DATABASE_URL: postgres.url("postgres"),
    SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
  });
  const embedded = await launch("bench-embedded", { SIGNALBOX_DATA_DIR: dataDir });
  const keys = { postgres: await seed(onPostgres, upstream.url), embedded: await seed(embedded, upstream.url) };
  const check = { "default.regexMatch": { rule: PATTERN, not: true }, deny: true };
  const config = JSON.stringify({
    provider: "openai",
    custom_host: `${upstream.url}/v1`,
    api_key: "x",
    input_guardrails: [check],
  });
  const direct = (sent: object): Target => ({
    name: "the upstream itself",
    url: `${upstream.url}/v1/chat/completions`,
    body: sent,
  });
  const ours = (sent: object): Target[] => [
    {
      name: "Signalbox on PostgreSQL: policy, filter, budget, record",
      url: `${onPostgres.url}/v1/chat/completions`,
      body: sent,
      key: keys.postgres,
    },
    {
      name: "Signalbox embedded: policy, filter, budget, record",
      url: `${embedded.url}/v1/chat/completions`,
      body: sent,
      key: keys.embedded,
    },
  ];
  sayMachine();
  const others: Target = {
    name: "@portkey-ai/gateway, regex check",
    url: `${other.url}/v1/chat/completions`,
    body,
    headers: { "x-portkey-config": config },
  };
  await measure("Whole answers", KEY, [direct(body), others, ...ours(body)]);
  // The other gateway's release 1.15.2 fails on every streamed answer of this upstream.
  const streamed = { ...body, stream: true };
  await measure("Streams of 50 chunks", KEY, [direct(streamed), ...ours(streamed)]);
} finally {
  for (const stop of stops) await stop();
}
