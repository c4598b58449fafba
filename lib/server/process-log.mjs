// Logs failures of code that isn't bundled; bundled code uses lib/platform/logger.ts.
import cluster from "node:cluster";
import pino from "pino";

/** Fields of every line. */
export const BASE = cluster.worker ? { worker: cluster.worker.id } : null;

/** @type {import("pino").Logger | undefined} */
let log;

/** @param {unknown} err @param {string} msg @param {object} [fields] */
export function logError(err, msg, fields) {
  log ??= pino({ level: process.env.SIGNALBOX_LOG_LEVEL || "info", base: BASE });
  log.error({ err, ...fields }, msg);
}
