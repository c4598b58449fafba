// npm run bench: our operations beside a bare handler over the same row, in one run on one machine.
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startServer, type Server } from "../e2e/server";
import { freePort } from "../lib/testing/free-port";
import { startPostgres } from "../lib/testing/postgres";
import { measure, sayMachine } from "./measure";

const GUARDRAILS = 60;
const KEY = randomBytes(24).toString("hex");
const GUARDRAIL = {
  name: "Production",
  description: "What customer-facing services may do",
  allowed_models: ["openai/gpt-4.1", "anthropic/claude-sonnet-4"],
  limit_usd: 250,
  reset_interval: "monthly",
  enforce_zdr: true,
  content_filter_builtins: [{ slug: "email", action: "redact" }],
  content_filters: [{ pattern: "ticket-[0-9]+", label: "[TICKET]", action: "redact" }],
};

function launch(name: string, variables: Record<string, string>): Promise<Server> {
  const shared = { SIGNALBOX_MANAGEMENT_KEY: KEY, SIGNALBOX_RATE_LIMIT_PER_MINUTE: "0", SIGNALBOX_LOG_LEVEL: "error" };
  return startServer({ name, variables: { ...shared, ...variables } }, 300_000);
}

/** Fills the list; returns the id of one guardrail. */
async function seed(url: string): Promise<string> {
  let id = "";
  for (let index = 0; index < GUARDRAILS; index++) {
    const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/v1/guardrails`, { method: "POST", headers, body: JSON.stringify(GUARDRAIL) });
    if (answer.status !== 201) throw new Error(`POST /v1/guardrails answered ${answer.status}: ${await answer.text()}`);
    id = ((await answer.json()) as { data: { id: string } }).data.id;
  }
  return id;
}

async function startBare(databaseUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const env = {
    PATH: process.env["PATH"],
    NODE_ENV: "production" as const,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
  };
  const child = spawn(process.execPath, [fileURLToPath(new URL("bare-server.mjs", import.meta.url))], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(url).catch(() => null)) return { child, url };
    await sleep(50);
  }
  throw new Error("the bare server did not start");
}

const dataDir = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
const postgres = await startPostgres({ durable: true });
const stops: (() => unknown)[] = [postgres.stop, () => rmSync(dataDir, { recursive: true, force: true })];
try {
  const secret = { SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64") };
  const onPostgres = await launch("bench-postgres", { DATABASE_URL: postgres.url("postgres"), ...secret });
  stops.unshift(onPostgres.stop);
  const embedded = await launch("bench-embedded", { SIGNALBOX_DATA_DIR: dataDir });
  stops.unshift(embedded.stop);
  const bareServer = await startBare(postgres.url("postgres"));
  stops.unshift(() => bareServer.child.kill());

  const postgresId = await seed(onPostgres.url);
  const embeddedId = await seed(embedded.url);
  const bare = { name: "bare node:http + pg, the same SELECT", url: `${bareServer.url}/${postgresId}` };
  sayMachine();
  await measure("Reads", KEY, [
    bare,
    { name: "GET /v1/guardrails/{id}, PostgreSQL", url: `${onPostgres.url}/v1/guardrails/${postgresId}` },
    { name: "GET /v1/guardrails?limit=50, PostgreSQL", url: `${onPostgres.url}/v1/guardrails?limit=50` },
    { name: "GET /v1/guardrails/{id}, embedded", url: `${embedded.url}/v1/guardrails/${embeddedId}` },
    { name: "GET /v1/guardrails?limit=50, embedded", url: `${embedded.url}/v1/guardrails?limit=50` },
  ]);
  await measure("Writes", KEY, [
    bare,
    { name: "POST /v1/guardrails, PostgreSQL", url: `${onPostgres.url}/v1/guardrails`, body: GUARDRAIL },
    { name: "POST /v1/guardrails, embedded", url: `${embedded.url}/v1/guardrails`, body: GUARDRAIL },
  ]);
} finally {
  for (const stop of stops) await stop();
}
