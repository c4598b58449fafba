import "server-only";
import pino, { type Logger } from "pino";
import { env } from "./env";

let cached: Logger | undefined;

/** Logs JSON lines to standard output, without credentials. */
export function logger(): Logger {
  cached ??= pino({
    level: env().logLevel,
    base: null,
    redact: ["*.authorization", "*.cookie", "*.password", "*.api_key", "*.key"],
  });
  return cached;
}
