// npm run bench:replay: a draft over 2,000 recorded requests of 2 kB, beside the same texts put through the content filters alone,
// and how long a request's own scan waits meanwhile.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { filterInput } from "../lib/gateway/filters/filter-service";
import { openPostgres } from "../lib/platform/database/open";
import type { EventStream } from "../lib/platform/http/event-stream";
import { ResponsesBody } from "../lib/engine/protocols/contracts/responses-request-contract";
import * as inference from "../lib/gateway/service";
import { draftLayer } from "../lib/records/guardrails/draft";
import { filterRules } from "../lib/engine/policy/filter-rules";
import { ReplayBody } from "../lib/features/replay/contract";
import { replay } from "../lib/features/replay/service";
import { bundleWorkers } from "../lib/server/bundle-workers.mjs";
import { startPostgres } from "../lib/testing/postgres";
import { newContext } from "./context";
import { median } from "./statistics";

const REQUESTS = 2_000;
const CHARACTERS = 2_000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 3);
const PROSE = `Please summarise the meeting of last Tuesday. The team agreed that the new importer reads 42 files per minute, and that the old one
stays until March. Customers asked twice for a dark mode; nobody had an estimate. The next release is planned for the end of the quarter. `;
const HITS = ["", "", "", "", "", "", "", "ada@example.com", "PROJ-12345", "4111 1111 1111 1111"];
const DRAFTS = {
  "e-mail and cards redacted, one pattern blocks": {
    content_filter_builtins: [
      { slug: "email", action: "redact" },
      { slug: "credit-card", action: "redact" },
    ],
    content_filters: [{ pattern: "PROJ-[0-9]{4,6}", label: "[PROJECT]", action: "block" }],
  },
  "eight builtins, one pattern": {
    content_filter_builtins: [
      "email",
      "phone",
      "ssn",
      "credit-card",
      "ip-address",
      "person-name",
      "address",
      "regex-prompt-injection",
    ].map((slug) => ({ slug, action: "redact" })),
    content_filters: [{ pattern: "PROJ-[0-9]{4,6}", label: "[PROJECT]", action: "block" }],
  },
  "models and providers alone": { ignored_models: ["sandbox/echo"] },
} as const;

const say = (line: string) => process.stdout.write(`${line}\n`);
const textOf = (index: number) =>
  `${index} ${HITS[index % HITS.length]} ${PROSE.repeat(Math.ceil(CHARACTERS / PROSE.length))}`.slice(0, CHARACTERS);
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

bundleWorkers(".next");
const postgres = await startPostgres({ durable: true });
const database = await openPostgres(postgres.url("postgres"));
try {
  const { admin, key } = await newContext(database.client);
  for (let start = 0; start < REQUESTS; start += 50) {
    const send = (_: unknown, index: number) =>
      inference.createResponse(
        { ...key, now: new Date(), headers: new Headers() },
        {
          params: {},
          query: {},
          body: ResponsesBody.parse({ model: "sandbox/echo", input: textOf(start + index), max_output_tokens: 16 }),
        },
      );
    await Promise.all(Array.from({ length: 50 }, send));
  }
  const owner = { organizationId: "bench", subject: "bench" };
  const limits = { timeoutMs: 60_000, workers: 1, signal: admin.signal, owner };
  const texts = Array.from({ length: REQUESTS }, (_, index) => ({
    protocol: "responses" as const,
    body: ResponsesBody.parse({ input: textOf(index) }),
  }));
  say(
    `${REQUESTS} requests of ${CHARACTERS / 1000} kB, medians of ${ROUNDS}: ms of a replay, ms of the filters alone on one thread, ratio; longest the event loop stood still`,
  );
  for (const [name, guardrail] of Object.entries(DRAFTS)) {
    const body = ReplayBody.parse({ guardrail, selection: { last: REQUESTS } });
    const rules = filterRules([draftLayer(body.guardrail, admin.settings.zdrVendors)]);
    const run = () => replay(admin, { params: {}, query: {}, body });
    const filters = async () => {
      for (let start = 0; start < REQUESTS; start += 8)
        await Promise.all(texts.slice(start, start + 8).map((text) => filterInput(text, rules, limits)));
    };
    const [ours, alone]: [number[], number[]] = [[], []];
    const stood: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      ours.push(await timed(run));
      delay.disable();
      stood.push(delay.max / 1e6);
      alone.push(await timed(filters));
    }
    const result = await run();
    const { evaluated, unchanged } = (result as Exclude<typeof result, EventStream>).data;
    say(
      `${name.padEnd(46)} ${median(ours).toFixed(0).padStart(6)} ${median(alone).toFixed(0).padStart(6)} ${(median(ours) / Math.max(1, median(alone))).toFixed(2).padStart(6)}× ${Math.max(
        ...stood,
      )
        .toFixed(0)
        .padStart(4)} ms  (${evaluated} judged, ${evaluated - unchanged} changed)`,
    );
  }
  const rules = filterRules([
    draftLayer(DRAFTS["e-mail and cards redacted, one pattern blocks"] as never, admin.settings.zdrVendors),
  ]);
  const one = () =>
    timed(() => filterInput({ protocol: "responses", body: ResponsesBody.parse({ input: textOf(7) }) }, rules, limits));
  const calm: number[] = [];
  for (let index = 0; index < 200; index += 1) calm.push(await one());
  const busy: number[] = [];
  const over = new AbortController();
  const running = replay(admin, {
    params: {},
    query: {},
    body: ReplayBody.parse({ guardrail: DRAFTS["eight builtins, one pattern"], selection: { last: REQUESTS } }),
  }).then(() => over.abort());
  while (!over.signal.aborted) busy.push(await one());
  await running;
  say(
    `a request's own scan of 2 kB, p50: ${median(calm).toFixed(2)} ms alone, ${median(busy).toFixed(2)} ms while a replay runs (${busy.length} scans)`,
  );
} finally {
  await database.close();
  await postgres.stop();
}
process.exit(0);
