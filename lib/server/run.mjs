// Starts the server: one process, or with SIGNALBOX_WORKERS several that share the port.
import { processSettings } from "../platform/process-settings.mjs";

const { workers } = processSettings(process.env);
const isDev = process.argv.includes("--dev");
/** The server reports wrong values, with a line that names the variable. */
const isCluster = workers >= 2 && workers <= 64 && Number.isInteger(workers) && Boolean(process.env.DATABASE_URL);
if (isCluster && !isDev) (await import("./primary.mjs")).startWorkers(workers);
else await import("./serve.mjs");
