// The floor: the least a gateway must do for a request with everything on. It authenticates the key, checks the model and the
// patterns, reserves from an escrowed budget, calls the provider, and answers after the record is durable. Nothing else.
import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { RE2JS } from "re2js";
import { Pool } from "undici";

const { PORT, DATABASE_URL, UPSTREAM = "", BENCH_KEY = "", MODEL = "", PATTERNS = "1" } = process.env;
const provider = new Pool(UPSTREAM, { connections: 64, pipelining: 1 });
const database = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
await database.query(`
  CREATE TABLE IF NOT EXISTS floor_generations (
    id text PRIMARY KEY, organization_id uuid, key_id uuid, model text, provider text, status text, tokens_prompt int, tokens_completion int,
    cost_micro_usd bigint, latency_ms int, decisions jsonb, input jsonb, output text, created_at timestamptz DEFAULT now());
  CREATE TABLE IF NOT EXISTS floor_budget (id int PRIMARY KEY, spent bigint NOT NULL, leased bigint NOT NULL);
  INSERT INTO floor_budget VALUES (1, 0, 0) ON CONFLICT DO NOTHING`);

/** @param {string} text */
const sha256 = (text) => createHash("sha256").update(text).digest("hex");
const filters = Array.from({ length: Number(PATTERNS) }, (_, index) => RE2JS.compile(`secret${index}-[0-9]+`));
const keys = new Map([
  [sha256(BENCH_KEY), { organizationId: randomUUID(), keyId: randomUUID(), models: new Set([MODEL]) }],
]);

/** One statement leases budget for many requests. */
const LEASE = 10_000_000n;
const LIMIT = 10n ** 15n;
let available = 0n;
/** @type {Promise<void> | null} */
let leasing = null;
async function lease() {
  const { rowCount } = await database.query(
    "UPDATE floor_budget SET leased = leased + $1 WHERE id = 1 AND spent + leased + $1 <= $2",
    [LEASE, LIMIT],
  );
  if (!rowCount) throw new Error("the budget is spent");
  available += LEASE;
}
/** @param {bigint} amount */
async function reserve(amount) {
  while (available < amount) await (leasing ??= lease().finally(() => (leasing = null)));
  available -= amount;
}

const COLUMNS = /** @type {const} */ ([
  ["id", "text"],
  ["organization_id", "uuid"],
  ["key_id", "uuid"],
  ["model", "text"],
  ["provider", "text"],
  ["status", "text"],
  ["tokens_prompt", "int"],
  ["tokens_completion", "int"],
  ["cost_micro_usd", "bigint"],
  ["latency_ms", "int"],
  ["decisions", "jsonb"],
  ["input", "jsonb"],
  ["output", "text"],
]);
const names = COLUMNS.map(([name]) => name).join(", ");
const arrays = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ");
const INSERT = `
  WITH spent AS (UPDATE floor_budget SET spent = spent + $${COLUMNS.length + 1} WHERE id = 1)
  INSERT INTO floor_generations (${names}) SELECT * FROM unnest(${arrays})`;

/** @typedef {Record<typeof COLUMNS[number][0], string | number | bigint>} Row */
const MOST_AT_ONCE = 256;
const MOST_FLUSHES = 2;
/** @type {{row: Row, resolve: () => void, reject: (error: unknown) => void}[]} */
const waiting = [];
let flushes = 0;
async function flush() {
  if (flushes === MOST_FLUSHES || waiting.length === 0) return;
  const batch = waiting.splice(0, MOST_AT_ONCE);
  flushes += 1;
  try {
    const values = COLUMNS.map(([name]) => batch.map(({ row }) => row[name]));
    const spent = batch.reduce((sum, { row }) => sum + BigInt(row.cost_micro_usd), 0n);
    await database.query({ name: "insert", text: INSERT, values: [...values, spent] });
    for (const { resolve } of batch) resolve();
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
  flushes -= 1;
  void flush();
}
/** Resolves when the row is durable; rows of the same time share a statement. @param {Row} row @returns {Promise<void>} */
const record = (row) =>
  new Promise((resolve, reject) => {
    waiting.push({ row, resolve, reject });
    if (waiting.length === 1) setImmediate(() => void flush());
  });

/** Passes events on with our id, and returns the text and usage. @param {AsyncIterable<Buffer>} events @param {string} id @param {import("node:http").ServerResponse} response */
async function passOn(events, id, response) {
  let [rest, content] = ["", ""];
  let usage;
  for await (const chunk of events) {
    rest += chunk.toString();
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const data = rest.slice("data: ".length, end);
      rest = rest.slice(end + 2);
      if (data === "[DONE]") continue;
      const event = JSON.parse(data);
      content += String(event.choices[0]?.delta.content ?? "");
      usage = event.usage ?? usage;
      response.write(`data: ${JSON.stringify({ ...event, id })}\n\n`);
    }
  }
  return { content, usage };
}

/** @param {import("node:http").IncomingMessage} request @param {string} text @param {import("node:http").ServerResponse} response */
async function answer(request, text, response) {
  const startedAt = performance.now();
  const key = keys.get(sha256(request.headers.authorization?.slice("Bearer ".length) ?? ""));
  if (!key) return response.writeHead(401).end();
  const body = JSON.parse(text);
  if (!key.models.has(body.model)) return response.writeHead(404).end();
  for (const { content } of body.messages)
    if (filters.some((filter) => filter.matcher(content).find())) return response.writeHead(403).end();
  const input = JSON.stringify(body.messages);
  const estimate = BigInt(Math.ceil(input.length / 2));
  await reserve(estimate);

  const id = `gen-${randomUUID()}`;
  /** @param {{content: string, usage: {prompt_tokens: number, completion_tokens: number}}} answered */
  const store = async ({ content, usage }) => {
    await record({
      id,
      organization_id: key.organizationId,
      key_id: key.keyId,
      model: body.model,
      provider: "bench",
      status: "succeeded",
      tokens_prompt: usage.prompt_tokens,
      tokens_completion: usage.completion_tokens,
      cost_micro_usd: 100,
      latency_ms: Math.round(performance.now() - startedAt),
      decisions: "[]",
      input,
      output: content,
    });
    available += estimate;
  };
  const upstream = await provider.request({
    method: "POST",
    path: "/v1/chat/completions",
    headers: { "content-type": "application/json", authorization: "Bearer x" },
    body: JSON.stringify({ ...body, model: "model" }),
  });
  if (body.stream) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await store(await passOn(upstream.body, id, response));
    return response.end("data: [DONE]\n\n");
  }
  const whole = JSON.parse(await upstream.body.text());
  await store({ content: whole.choices[0].message.content, usage: whole.usage });
  const sent = Buffer.from(JSON.stringify({ ...whole, id }));
  return response.writeHead(200, { "content-type": "application/json", "content-length": sent.length }).end(sent);
}

createServer((request, response) => {
  /** @type {Buffer[]} */
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    answer(request, Buffer.concat(parts).toString(), response).catch((/** @type {unknown} */ error) => {
      process.stderr.write(`${String(error)}\n`);
      response.writeHead(500).end();
    });
  });
}).listen(Number(PORT), "127.0.0.1");
