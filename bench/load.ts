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
  headers?: Readonly<Record<string, string>>;
  /** Instead of the run's own. */
  key?: string;
}

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export const CONNECTIONS = 16;

const Result = z.object({
  requests: z.object({ average: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  "2xx": z.number().min(1),
  non2xx: z.literal(0, { error: "answers other than 2xx: the figures would be of errors" }),
  errors: z.literal(0),
});

const autocannon = createRequire(import.meta.url).resolve("autocannon/autocannon.js");

/** Closed loop over keep-alive connections from a process of its own; throws when any request failed. */
export async function load(
  { name, url, body, headers = {}, key: own }: Target,
  key: string,
  seconds: number,
): Promise<Figures> {
  const post = body
    ? ["--method", "POST", "--headers", "content-type=application/json", "--body", JSON.stringify(body)]
    : [];
  const more = Object.entries(headers).flatMap(([name, value]) => ["--headers", `${name}=${value}`]);
  const args = [
    "--json",
    "--no-progress",
    "--connections",
    `${CONNECTIONS}`,
    "--duration",
    `${seconds}`,
    "--headers",
    `authorization=Bearer ${own ?? key}`,
    ...more,
    ...post,
    url,
  ];
  const child = spawn(process.execPath, [autocannon, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  const { data: result, error } = Result.safeParse(await json(child.stdout));
  await closed;
  if (!result) throw new Error(`${name}: ${z.prettifyError(error)}`);
  return { requestsPerSecond: result.requests.average, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}
