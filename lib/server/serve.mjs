// The production server: Next serves the pages; route handlers are called directly,
// because the framework's request path costs several times the work of an operation.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import next from "next";
import { createDispatcher } from "./dispatch.mjs";
import { staticFiles } from "./static-files.mjs";

const isDev = process.argv.includes("--dev");
Object.assign(process.env, { NODE_ENV: isDev ? "development" : "production" });
process.env.NEXT_TELEMETRY_DISABLED = "1";
const port = Number(process.env.PORT || 3000);
const hostname = process.env.HOSTNAME || "127.0.0.1";
const trustsProxy = process.env.SIGNALBOX_TRUST_PROXY === "true";
const STOP_WITHIN_MS = 10_000;

/** sonner 2.0.8 adds a style element without a nonce: first empty, then with this text. Another version has another hash. */
const TOAST_STYLE = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
].join(" ");

/** Pages load nothing from another host, run no script and no style sheet but our own, and no other site may frame them. @param {string} nonce */
const pagePolicy = (nonce) =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'nonce-${nonce}' ${TOAST_STYLE}`,
    // Widths and colours that come from data stand in style attributes, which run nothing.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

const PAGE_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** The nearest proxy's word when it is trusted, else the socket's. @param {import("node:http").IncomingMessage} request */
function clientAddress(request) {
  const forwarded = trustsProxy ? request.headers["x-forwarded-for"] : undefined;
  const nearest = typeof forwarded === "string" ? forwarded.split(",").at(-1)?.trim() : undefined;
  return nearest || request.socket.remoteAddress || "";
}

const app = next({ dev: isDev, dir: process.cwd(), hostname, port });
const handlePage = app.getRequestHandler();

/** @type {import("./dispatch.mjs").Dispatcher | undefined} */
let dispatcher;
const answerFile = isDev ? () => false : staticFiles(process.cwd());

/** How pages reach the API while they are made: see app/prefetch.tsx. @param {Request} request */
const callApi = (request) => dispatcher?.call(request) ?? fetch(request);
Object.assign(globalThis, { __signalboxApi: { origin: `http://${hostname}:${port}`, call: callApi } });

const server = createServer((request, response) => {
  if (answerFile(request, response)) return;
  request.headers["x-signalbox-client-address"] = clientAddress(request);
  request.headers["x-signalbox-path"] = request.url ?? "/";
  if (dispatcher?.answer(request, response)) return;
  if (!isDev) {
    const nonce = randomBytes(16).toString("base64");
    const policy = pagePolicy(nonce);
    // Next reads the nonce of its own scripts from the request's policy.
    request.headers["content-security-policy"] = policy;
    request.headers["x-nonce"] = nonce;
    response.setHeaders(new Map(Object.entries({ ...PAGE_HEADERS, "content-security-policy": policy })));
  }
  void handlePage(request, response);
});
// An expectation we don't know is no reason to leave the request without our error body.
server.on("checkExpectation", (request, response) => server.emit("request", request, response));

/** Lets running requests finish, then closes the database, so that the next start finds it clean. */
async function stop() {
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  const runtime = await /** @type {{__signalbox?: Promise<{database: {close: () => Promise<void>}}>}} */ (globalThis)
    .__signalbox;
  await runtime?.database.close();
  process.exit(0);
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());

server.on("error", (error) => {
  process.stderr.write(`Signalbox can't listen on ${hostname}:${port}: ${error.message}\n`);
  process.exit(1);
});
await app.prepare();
if (!isDev) {
  dispatcher = await createDispatcher(process.cwd());
  await dispatcher.call(new Request("http://localhost/readyz"));
}
server.listen(port, hostname, () => process.stdout.write(`Signalbox is ready on http://${hostname}:${port}\n`));
