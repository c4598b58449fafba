// The server, in production and development: Next serves pages; route handlers are called directly, because the
// framework's request path costs several times the work of an operation.
import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildFolder } from "../platform/build-folder.mjs";
import { processSettings } from "../platform/process-settings.mjs";
import { logAccess } from "./access-log.mjs";
import { createDispatcher } from "./dispatch.mjs";
import { clientAddress, createListener } from "./listener.mjs";
import { pagePolicy } from "./page-policy.mjs";
import { logError } from "./process-log.mjs";
import { refuse } from "./refuse.mjs";
import { allowedHosts } from "./request-policy.mjs";
import { builtRoutes, sourceRoutes } from "./routes.mjs";
import { staticFiles } from "./static-files.mjs";

const isDev = process.argv.includes("--dev");
Object.assign(process.env, { NODE_ENV: isDev ? "development" : "production" });
process.env.NEXT_TELEMETRY_DISABLED = "1";
const settings = processSettings(process.env);
const { port, hostname, publicUrl, trustsProxy, drainMs } = settings;
/** Time for running requests when the process ends, and time until it ends in any case. */
const FINISH_WITHIN_MS = 6_000;
const STOP_WITHIN_MS = 10_000;

const PAGE_HEADERS = {
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

const root = process.cwd();
/** Next, prepared for the first page, because it takes 50 MB that an installation without a console doesn't need. @type {ReturnType<typeof preparePages> | undefined} */
let pages;
const preparePages = async () => {
  const { default: next } = await import("next");
  // Next adds an upgrade listener to the server of its first page, and Node.js then passes every request that offers an upgrade to that
  // listener alone. Only live reload needs it. Without the listener, offers are ignored and the requests get a response.
  const app = next({ dev: isDev, dir: root, hostname, port, ...(!isDev && { httpServer: createServer() }) });
  await app.prepare();
  return app.getRequestHandler();
};
/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function handlePage(request, response) {
  try {
    pages ??= preparePages();
    const handle = await pages.catch((/** @type {unknown} */ error) => {
      // The next page tries again.
      pages = undefined;
      throw error;
    });
    await handle(request, response);
  } catch (error) {
    if (!response.destroyed) logError(error, "a page failed");
    if (response.headersSent) response.destroy();
    else refuse(response, { status: 500, message: "Internal Server Error" });
  }
}
const answerFile = isDev ? () => false : staticFiles(join(root, buildFolder()));

/** Marks our own requests in development that make Next compile a route. Next answers OPTIONS without calling our code. */
const COMPILE = "x-signalbox-compile";
const compileToken = randomBytes(16).toString("hex");
/** @param {string} path */
const compile = (path) =>
  fetch(`http://${hostname}:${port}${path}`, { method: "OPTIONS", headers: { [COMPILE]: compileToken } });

/** @param {string} problem @returns {never} */
function fail(problem) {
  process.stderr.write(`Signalbox could not start: ${problem}\n`);
  process.exit(1);
}
const isFirstProcess = cluster.worker === undefined || cluster.worker.id === 1;

/** Loads the routes of the build after checking the settings. */
async function checkedRoutes() {
  const { routes, checkSettings } = await builtRoutes();
  try {
    const warnings = checkSettings(process.env);
    if (isFirstProcess) for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`);
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error));
  }
  return routes;
}

if (isDev) pages = preparePages();
await pages;
const dispatcher = createDispatcher(isDev ? sourceRoutes(root, compile) : await checkedRoutes());
/** Lets pages call the API during server rendering: see app/prefetch.tsx. */
Object.assign(globalThis, { __signalboxApi: { origin: `http://${hostname}:${port}`, call: dispatcher.call } });

const hosts = allowedHosts({ setting: settings.allowedHosts, hostname, trustsProxy });
const listenerOptions = {
  hosts: hosts && publicUrl ? [...hosts, new URL(publicUrl).hostname] : hosts,
  ...(publicUrl && { publicUrl }),
  trustsProxy,
  maxConnections: settings.maxConnections,
  requestTimeoutMs: settings.requestTimeoutMs,
};
let isStopping = false;
/** The opening of the database. @type {Promise<unknown> | undefined} */
let opening;

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
function answer(request, response) {
  if (isStopping) {
    // An open connection could receive its next request while it is being closed.
    response.setHeader("connection", "close");
    if (request.url === "/readyz") {
      refuse(response, { status: 503, message: "The process is stopping", headers: { "retry-after": "1" } });
      return;
    }
  }
  if (answerFile(request, response)) return;
  request.headers["x-signalbox-client-address"] = clientAddress(request, trustsProxy);
  request.headers["x-signalbox-path"] = request.url ?? "/";
  const isCompiling = isDev && request.headers[COMPILE] === compileToken;
  if (!isCompiling && dispatcher.answer(request, response)) return;
  if (!isCompiling && request.method !== "GET" && request.method !== "HEAD") {
    refuse(response, { status: 405, message: "Method not allowed", headers: { allow: "GET, HEAD" } });
    return;
  }
  const nonce = randomBytes(16).toString("base64");
  const policy = pagePolicy(nonce, { isDev });
  // Next reads the nonce of its own scripts from the request's policy.
  request.headers["content-security-policy"] = policy;
  request.headers["x-nonce"] = nonce;
  response.setHeaders(new Map(Object.entries({ ...PAGE_HEADERS, "content-security-policy": policy })));
  void handlePage(request, response);
}

const server = createListener(listenerOptions, (request, response) => {
  if (opening) void opening.then(() => answer(request, response));
  else answer(request, response);
});

if (settings.logsAccess) logAccess(server);

/** Finishes running requests, then closes the database cleanly. */
async function stop() {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), drainMs + STOP_WITHIN_MS).unref();
  await sleep(drainMs);
  // Busy connections now close after their response.
  server.keepAliveTimeout = 1;
  // Requests that take longer are ended, and charged, when the database is closed.
  await new Promise((resolve) => {
    setTimeout(resolve, FINISH_WITHIN_MS).unref();
    server.close(resolve);
    server.closeIdleConnections();
  });
  const runtime = await /** @type {{__signalbox?: Promise<{database: {close: () => Promise<void>}}>}} */ (globalThis)
    .__signalbox;
  await runtime?.database.close();
  process.exit(0);
}
// npm and the terminal may both send a signal; the second must not interrupt the orderly end.
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
// The first process of SIGNALBOX_WORKERS has ended.
process.once("disconnect", () => void stop());

/** @param {NodeJS.ErrnoException} error @returns {string} the setting that is wrong, and the rule */
function listenProblem({ code, message }) {
  if (code === "EADDRINUSE")
    return `PORT ${port} of ${hostname} is in use by another process. Stop that process, or set PORT to a free port`;
  if (code === "EACCES") return `PORT ${port} may not be opened by this user. Set PORT to 1024 or more`;
  if (code === "ERR_SOCKET_BAD_PORT") return "PORT must be a port number";
  return `HOSTNAME ${hostname} must be an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0 (${message})`;
}

/** Opens the port. */
async function listen() {
  try {
    server.listen(port, hostname);
    await once(server, "listening");
  } catch (error) {
    fail(listenProblem(/** @type {NodeJS.ErrnoException} */ (error)));
  }
}

const open = () => dispatcher.call(new Request("http://localhost/readyz"));

// The port is opened first, so that a port in use ends the start before credentials are created and printed. Requests that come
// meanwhile wait. Further workers get connections as soon as they listen, and open the database before. In development, Next
// compiles only once the server listens.
if (isDev) await listen();
else if (isFirstProcess) {
  await listen();
  opening = open();
  await opening;
  opening = undefined;
} else {
  await open();
  await listen();
}
process.stdout.write(
  `Signalbox is ready on http://${hostname}:${port}${cluster.worker ? ` (worker ${cluster.worker.id})` : ""}\n`,
);
if (cluster.worker) process.send?.({ type: "signalbox:ready" });
