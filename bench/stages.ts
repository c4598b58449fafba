/** One frame of a stack: the path of its source, and its function. */
export interface StackFrame {
  source: string;
  name: string;
}

/** Stages of a request by the sources of their code; the first pattern that matches a frame decides. */
const STAGES: readonly (readonly [stage: string, source: RegExp])[] = [
  ["content filters", /^lib\/(engine|gateway)\/filters\/|node_modules\/re2js\//],
  [
    "reading and parsing the body",
    /^lib\/platform\/http\/(request-body|json-bounds|content-encoding)|^lib\/server\/incoming-request/,
  ],
  ["validation (zod)", /node_modules\/zod\/|^lib\/platform\/http\/(validate|accept)/],
  [
    "record: batch and statement",
    /^lib\/gateway\/record\/record-store|^lib\/platform\/database\/(batcher|columns|statement|storable-json)/,
  ],
  ["record: rows of a generation", /^lib\/gateway\/record\//],
  [
    "database driver",
    /node_modules\/(pg|pg-protocol|pg-pool|pg-types|postgres-[a-z]+)\/|^lib\/platform\/database\/open/,
  ],
  ["Prisma", /node_modules\/@prisma\/|^prisma\//],
  ["budget reservation", /^lib\/records\/budgets\/|^lib\/engine\/budgets\/|^lib\/gateway\/reservation/],
  ["metrics", /^lib\/platform\/metrics\/|node_modules\/prom-client\//],
  ["tracing", /^lib\/platform\/telemetry\/|^lib\/server\/trace|node_modules\/@opentelemetry\//],
  ["HTTP client", /node_modules\/undici\/|^lib\/platform\/outbound\/|^node:internal\/deps\/undici/],
  ["attempts, circuits and timeouts", /^lib\/gateway\/upstream\/|^lib\/records\/providers\/|node_modules\/cockatiel\//],
  [
    "prices and candidates",
    /^lib\/engine\/(routing|policy|decision|tokens)\/|^lib\/gateway\/(endpoints|decide|tokens)/,
  ],
  ["reading and encoding answers", /^lib\/engine\/protocols\/|node_modules\/eventsource-parser\//],
  [
    "caller and policy",
    /^lib\/records\/|^lib\/server\/(authenticate|given-key)|^lib\/platform\/(database\/policy|http\/rate)/,
  ],
  ["operation (gateway and handler)", /^lib\/(gateway|features|platform)\/|^lib\/server\/.*\.ts$/],
  ["HTTP server", /^lib\/server\/.*\.mjs$|^node:_http/],
];

/** Functions that are no part of a request's code. */
const RUNTIME = new Set(["(garbage collector)", "(program)"]);

/** Returns the stage of a stack, from its innermost frame outwards. */
export function stageOf(stack: readonly StackFrame[]): string {
  const [innermost] = stack;
  if (innermost && RUNTIME.has(innermost.name)) return innermost.name;
  for (const { source } of stack) {
    const stage = STAGES.find(([, pattern]) => pattern.test(source));
    if (stage) return stage[0];
  }
  return "event loop, sockets and timers";
}
