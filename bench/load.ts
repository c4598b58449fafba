import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { json } from "node:stream/consumers";
import { z } from "zod";

export interface Target {
  name: string;
  url: string;
  /** Sent as a POST; without it a GET. */
  body?: object;
}

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const CONNECTIONS = 16;

const Result = z.object({
  requests: z.object({ average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  "2xx": z.number().min(1),
  non2xx: z.literal(0, { error: "answers other than 2xx: the figures would be of errors" }),
  errors: z.literal(0),
});

const autocannon = createRequire(import.meta.url).resolve("autocannon/autocannon.js");

/** Closed loop over keep-alive connections from a process of its own; throws when any request failed. */
export async function load({ url, body }: Target, key: string, seconds: number): Promise<Figures> {
  const post = body ? ["--method", "POST", "--headers", "content-type=application/json", "--body", JSON.stringify(body)] : [];
  const args = ["--json", "--no-progress", "--connections", `${CONNECTIONS}`, "--duration", `${seconds}`, "--headers", `authorization=Bearer ${key}`, ...post, url];
  const child = spawn(process.execPath, [autocannon, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  const result = Result.parse(await json(child.stdout));
  await closed;
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
