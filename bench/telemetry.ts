// npm run bench:telemetry: what traces and metrics by OTLP add to the processor time of a request. Rounds with and without export alternate
// in one process; the receiver is a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { GenerationTrace } from "../lib/gateway/record/generation-trace-service";
import { startTelemetry, stopTelemetry, telemetry } from "../lib/platform/telemetry/telemetry";
import { NO_TRACE } from "../lib/platform/telemetry/trace-context";
import { endpointOf } from "../lib/testing/endpoints";
import { outcomeOf } from "../lib/testing/outcomes";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { median } from "./statistics";

const { values } = scriptArguments("npm run bench:telemetry --", {
  options: { rounds: { type: "string", default: "9" }, requests: { type: "string", default: "20000" } },
});
const REQUESTS = Number(values.requests);

const RECEIVER = `require("node:http").createServer((request, response) => request.resume().on("end", () => response.end()))
  .listen(0, "127.0.0.1", function () { process.stdout.write(String(this.address().port)) })`;
const receiver = spawn(process.execPath, ["-e", RECEIVER], { stdio: ["ignore", "pipe", "inherit"] });
const [port] = (await once(receiver.stdout, "data")) as [Buffer];
const exporting = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port.toString()}`,
  // Every span is exported: none is dropped because rounds make more at once than a server does.
  OTEL_BSP_MAX_QUEUE_SIZE: "1000000",
};

Object.assign(process.env, exporting);

const endpoint = endpointOf();
const outcome = outcomeOf({ endpoint });
const site = { kind: "openai", baseUrl: "https://api.acme.example/v1" } as const;
const ATTRIBUTES = { "http.request.method": "POST", "http.route": "/v1/chat/completions", "url.scheme": "https" };

/** Traces and measures a request with one attempt. */
function one(): void {
  const start = performance.now();
  const span = telemetry()?.start("POST /v1/chat/completions", new Date(), null, ATTRIBUTES) ?? null;
  const trace = new GenerationTrace(span ? { caller: null, span } : NO_TRACE, start);
  for (const stage of ["policy", "filters", "budget"] as const) trace.ran(stage, start, 1);
  trace.call(endpoint, "/chat/completions", site);
  trace.sent();
  trace.answered();
  trace.ended(outcome);
  trace.ran("record", start, 1);
  trace.serverTiming();
  span?.set({ "http.response.status_code": 200 });
  span?.end(performance.now(), null);
}

/** Processor time of a request in µs, with that of its export. */
async function round(isExported: boolean): Promise<number> {
  if (isExported) await startTelemetry(exporting, new Date());
  const before = process.cpuUsage();
  for (let left = REQUESTS; left > 0; left--) {
    one();
    if (left % 100 === 0) await new Promise(setImmediate);
  }
  await stopTelemetry();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

await round(true);
await round(false);
const [on, off]: [number[], number[]] = [[], []];
for (let count = Number(values.rounds); count > 0; count--) {
  off.push(await round(false));
  on.push(await round(true));
}
receiver.kill();
const show = (all: readonly number[]) =>
  `${median(all).toFixed(1)} µs (${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)})`;
process.stdout.write(`without export: ${show(off)}\nwith export:    ${show(on)}\n`);
