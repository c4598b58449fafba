import { spawn } from "node:child_process";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export interface Load {
  /** Connections take the URLs in turn. */
  urls: readonly string[];
  connections: number;
  seconds: number;
  /** Requests a second of all connections; null for as many as are answered. */
  perSecond: number | null;
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  /** Sent in turn, from any of them on. */
  bodies: readonly string[];
}

const Loaded = z.object({
  requests: z.number().min(1),
  requestsPerSecond: z.number(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
  failures: z.record(z.string(), z.number()),
});

const PROGRAM = fileURLToPath(new URL("load-process.mjs", import.meta.url));

/** Generates load from a separate process; throws if any request failed, because the figures would be of errors. */
export async function generateLoad(load: Load): Promise<z.infer<typeof Loaded>> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify(load));
  const answer = await json(child.stdout);
  await closed;
  const failures = Object.entries((answer as { failures: object }).failures);
  if (failures.length > 0) throw new Error(`${load.urls.join(", ")}: ${JSON.stringify(Object.fromEntries(failures))}`);
  return Loaded.parse(answer);
}
