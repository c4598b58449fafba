import "server-only";
import cluster from "node:cluster";
import pino, { type Logger } from "pino";
import { env } from "./env";

let cached: Logger | undefined;

/** Logs JSON lines to standard output, without credentials. */
export function logger(): Logger {
  cached ??= pino({
    level: env().logLevel,
    base: cluster.worker ? { worker: cluster.worker.id } : null,
    redact: ["*.authorization", '*["x-api-key"]', '*["api-key"]', "*.cookie", "*.password", "*.api_key", "*.key"],
  });
  return cached;
}
