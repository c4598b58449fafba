// npm run bench:queries: time in the database and rows read of the console's and the log's queries, in an install filled by `npm run seed:large`.
import { readFileSync } from "node:fs";
import pg from "pg";
import { getActivity } from "../lib/features/analytics/activity-contract";
import { activity } from "../lib/features/analytics/activity-service";
import { getOverview } from "../lib/features/analytics/contract";
import { overview } from "../lib/features/analytics/service";
import { getUsage } from "../lib/features/analytics/usage-contract";
import { keysWithSpend, membersWithSpend } from "../lib/features/analytics/spend-lists-service";
import { usage } from "../lib/features/analytics/usage-service";
import { GROUPS } from "../lib/features/analytics/vocabulary";
import { listAuditEvents } from "../lib/platform/audit/contract";
import { list as auditEvents } from "../lib/platform/audit/service";
import { ApiError } from "../lib/platform/api-error";
import type { Context } from "../lib/platform/context";
import { openPostgres } from "../lib/platform/database/open";
import { listBudgets } from "../lib/records/budgets/contract";
import { list as budgets } from "../lib/records/budgets/list-service";
import { listGenerations } from "../lib/records/generations/contract";
import { list as generations } from "../lib/records/generations/service";
import { listKeys } from "../lib/records/keys/contract";
import { listMembers } from "../lib/records/members/contract";
import { nodesOf, rowsReadBy, type Explained } from "../lib/testing/plan-nodes";
import { contextOf, OWNER_GRANTS } from "../lib/testing/context";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { filledInstall } from "./filled-install";

const {
  values: options,
  positionals,
  fail,
} = scriptArguments("npm run bench:queries -- [console] [pairs]", {
  allowPositionals: true,
  note: "With --seed, or DATABASE_URL of an install filled by npm run seed:large",
  options: {
    rounds: { type: "string", default: "5" },
    /** Prints the plan of each statement. */
    explain: { type: "boolean", default: false },
    /** Part of the names to measure. */
    only: { type: "string", default: "" },
    /** Prints only pairs of filters that take longer than this, as processor time of the database. */
    over: { type: "string", default: "50" },
    /** Fills an install with so many generations on a PostgreSQL of its own, instead of that of DATABASE_URL. */
    seed: { type: "string" },
    /** Fails if processor times are over the bars of a million generations, times this. */
    bars: { type: "string" },
  },
});
const seeded = options.seed === undefined ? null : await filledInstall(Number(options.seed));
const connectionString = seeded?.url ?? process.env["DATABASE_URL"] ?? fail("--seed or DATABASE_URL is required");

interface Statement {
  text: string;
  values: unknown[];
  ms: number;
}
let statements: Statement[] = [];

/** Notes the time between sending a statement and its result, which a pool gets by a callback. */
const send = Reflect.get(pg.Client.prototype, "query") as (...input: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...input: unknown[]) {
  const [first, second] = input;
  const { text, values } = (typeof first === "object" ? first : { text: first }) as {
    text: string;
    values?: unknown[];
  };
  const started = performance.now();
  const note = () => {
    const ms = performance.now() - started;
    statements.push({ text, values: values ?? (Array.isArray(second) ? second : []), ms });
  };
  const last = input.at(-1);
  if (typeof last === "function")
    input[input.length - 1] = (...answer: unknown[]) => {
      note();
      (last as (...answer: unknown[]) => void)(...answer);
    };
  const result = send.apply(this, input);
  if (result instanceof Promise) void result.then(note, note);
  return result;
} as typeof pg.Client.prototype.query;

const database = await openPostgres(connectionString);
const db = database.client;
const plans = new pg.Client({ connectionString });
await plans.connect();
// As on the server's connections, and in the transactions of analytics.
await plans.query("SET jit = off; SET work_mem = '64MB'");

/** Rows that a statement reads from tables, and the blocks it touches. */
async function readBy({ text, values }: Statement): Promise<{ rows: number; blocks: number }> {
  const { rows } = (await send.call(plans, `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)) as {
    rows: Explained[];
  };
  const root = rows[0]?.["QUERY PLAN"][0].Plan;
  if (!root) return { rows: 0, blocks: 0 };
  const scans = nodesOf(root).filter((node) => node["Relation Name"]);
  return {
    rows: Math.round(sum(scans.map(rowsReadBy))),
    blocks: (root["Shared Hit Blocks"] ?? 0) + (root["Shared Read Blocks"] ?? 0),
  };
}

/** Nanoseconds that processes have run, which other work on the machine doesn't lengthen. */
const ranFor = (processes: readonly { pid: number }[]): number =>
  sum(processes.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0])));

/** The same for the database's connections; unknown if the server is elsewhere. */
async function processorTime(): Promise<number> {
  const { rows } = (await send.call(
    plans,
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
  )) as { rows: { pid: number }[] };
  try {
    return ranFor(rows);
  } catch {
    return NaN;
  }
}

const isRead = ({ text }: Statement) =>
  /^\s*(SELECT|WITH)\b/i.test(text) && (!text.includes("pg_current_snapshot") || /^\s*WITH\s+position\b/.test(text));
const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface Measured {
  name: string;
  p50: number;
  p95: number;
  /** Median of the processor time of the database. */
  processor: number;
  rows: number;
  blocks: number;
}

/** Milliseconds of all statements of an operation together, after one round that fills caches; infinite beyond the time limit. */
async function measure(name: string, run: () => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  const processor: number[] = [];
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    statements = [];
    const before = await processorTime();
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 400)) throw error;
      return { name, p50: Infinity, p95: Infinity, processor: Infinity, rows: NaN, blocks: NaN };
    }
    const after = await processorTime();
    if (round === 0) continue;
    times.push(sum(statements.map(({ ms }) => ms)));
    processor.push((after - before) / 1e6);
  }
  const reads = [];
  for (const statement of statements.filter(isRead)) {
    const read = await readBy(statement);
    reads.push(read);
    if (options.explain) await explain(statement);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return {
    name,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    processor: percentile(
      processor.toSorted((a, b) => a - b),
      0.5,
    ),
    rows: sum(reads.map(({ rows }) => rows)),
    blocks: sum(reads.map(({ blocks }) => blocks)),
  };
}

async function explain({ text, values }: Statement): Promise<void> {
  const { rows: pids } = (await send.call(plans, "SELECT pg_backend_pid() AS pid")) as { rows: { pid: number }[] };
  const before = ranFor(pids);
  await send.call(plans, text, values);
  const ran = (ranFor(pids) - before) / 1e6;
  const { rows } = (await send.call(plans, `EXPLAIN (ANALYZE, BUFFERS) ${text}`, values)) as {
    rows: { "QUERY PLAN": string }[];
  };
  process.stdout.write(
    `\n${ran.toFixed(1)} cpu ms: ${text.replaceAll(/\s+/g, " ").slice(0, 400)}\n${rows.map((row) => row["QUERY PLAN"]).join("\n")}\n`,
  );
}

/** Milliseconds that an operation may take at a million generations, by its name; pairs of filters have the last one. */
const BARS: readonly [RegExp, number][] = [
  // Their generations are counted.
  [/^Usage.*(busiest|by (tag|preset|protocol|end_user|app))/, 600],
  [/^(Overview|Usage|Activity)/, 400],
  [/^Budgets/, 60],
  [/^(Keys|Members).*spend/, 500],
  [/^Keys/, 40],
  [/^Log by -(tokens|duration), 30 days/, 400],
  [/^Log by/, 250],
  [/\bq\b/, 300],
  [/./, 50],
];
const over: string[] = [];
/** Notes what is over its bar. Processor time, as elapsed time is that of other work on the machine too. */
function compare({ name, processor }: Measured): void {
  const bar = (BARS.find(([names]) => names.test(name))?.[1] ?? 0) * Number(options.bars ?? Infinity);
  if (processor > bar) over.push(`${name}: ${processor.toFixed(0)} ms, bar ${bar} ms`);
}

const show = ({ name, p50, p95, processor, rows, blocks }: Measured) =>
  process.stdout.write(
    `| ${name.padEnd(48)} | ${p50.toFixed(1).padStart(7)} | ${p95.toFixed(1).padStart(7)} | ${processor.toFixed(1).padStart(7)} | ${String(rows).padStart(8)} | ${String(blocks).padStart(7)} |\n`,
  );
const heading = (title: string) =>
  process.stdout.write(
    `| ${title.padEnd(48)} |  p50 ms |  p95 ms |  cpu ms |     rows |  blocks |\n|${"-".repeat(50)}|--------:|--------:|--------:|---------:|--------:|\n`,
  );

const home = await db.workspace.findFirstOrThrow({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
const { organizationId, id: workspaceId } = home;
const admin = await db.member.findFirstOrThrow({ where: { organizationId }, orderBy: { createdAt: "asc" } });
const context = (): Context =>
  contextOf(db, {
    kind: "session",
    sessionId: workspaceId,
    organizationId,
    workspaceId,
    userId: admin.id,
    userName: "Bench",
    grants: OWNER_GRANTS,
  });

type Declared = { query?: { parse: (query: object) => unknown } | undefined };
type Service = (context: Context, input: never) => Promise<unknown>;
const call = (declared: Declared, service: Service, query: object) => () =>
  service(context(), { params: {}, body: undefined, query: declared.query?.parse(query) } as never);

/** The most and the least frequent value of a column of generations. */
async function ends(column: string): Promise<[string, string]> {
  const found = await db.$queryRawUnsafe<{ value: string }[]>(
    `SELECT ${column}::text AS value FROM generations WHERE organization_id = $1::uuid AND ${column} IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`,
    organizationId,
  );
  return [found[0]?.value ?? "none", found.at(-1)?.value ?? "none"];
}
const keyIds = await ends("key_id");
const hashOf = async (id: string) => (await db.key.findUniqueOrThrow({ where: { id } })).hash;
const keyHashes = await Promise.all(keyIds.map(hashOf));
const userIds = await ends("user_id");

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function measureConsole(): Promise<void> {
  heading("Console");
  const line = async (name: string, declared: Declared, service: Service, query: object) => {
    if (!name.includes(options.only)) return;
    const measured = await measure(name, call(declared, service, query));
    show(measured);
    compare(measured);
  };
  for (const range of ["24h", "7d", "90d"]) await line(`Overview, ${range}`, getOverview, overview, { range });
  await line("Activity", getActivity, activity, {});
  await line("Usage, 90 days", getUsage, usage, { range: "90d" });
  for (const group_by of GROUPS)
    await line(`Usage, 90 days by ${group_by}`, getUsage, usage, { range: "90d", group_by });
  for (const group_by of ["model", "provider", "guardrail", "preset", "key", "tag"])
    for (const [name, subject] of [
      ["key", { key_hash: keyHashes[0] }],
      ["member", { user_id: userIds[0] }],
    ] as const)
      if (!(name === "key" && ["key", "tag"].includes(group_by)))
        await line(`Usage of the busiest ${name} by ${group_by}`, getUsage, usage, {
          range: "90d",
          group_by,
          ...subject,
        });
  await line("Budgets, first page", listBudgets, budgets, { limit: "50" });
  await line("Keys, 100", listKeys, keysWithSpend, { limit: "100" });
  for (const range of ["7d", "30d", "90d"]) {
    const spend = { limit: "100", range };
    await line(`Keys, 100, with spend of ${range}`, listKeys, keysWithSpend, spend);
    await line(`Keys, 100, by spend of ${range}`, listKeys, keysWithSpend, { ...spend, sort: "-range_spend" });
    await line(`Members, 100, with spend of ${range}`, listMembers, membersWithSpend, spend);
    await line(`Members, 100, by spend of ${range}`, listMembers, membersWithSpend, { ...spend, sort: "-range_spend" });
  }
  await line("Audit log", listAuditEvents, auditEvents, {});
  await line("Audit log by an action without events", listAuditEvents, auditEvents, { action: "member.update" });
  const log = (name: string, query: object) =>
    line(`Log ${name}`, listGenerations, generations, { limit: "50", ...query });
  for (const days of [1, 7, 30])
    for (const sort of ["-cost", "cost", "-tokens", "-duration"])
      await log(`by ${sort}, ${days} days`, { sort, from: daysAgo(days) });
  const [endUser, rareEndUser] = await ends("external_user");
  const [app, rareApp] = await ends("coalesce(app_title, http_referer)");
  await log("of an end user", { end_user: endUser });
  await log("of a rare end user", { end_user: rareEndUser });
  await log("of an application", { app });
  await log("of a rare application", { app: rareApp });
  for (const filters of [{ key_hash: keyHashes[0] }, { action: "redact" }, { status: "failed" }, { q: "every" }])
    await log(`by -cost, 7 days, with ${Object.keys(filters).join()}`, { sort: "-cost", from: daysAgo(7), ...filters });
}

/** Frequent and rare values of each filter of the log. */
async function filterValues(): Promise<[string, object[]][]> {
  const both = async (name: string, column: string): Promise<[string, object[]]> => [
    name,
    (await ends(column)).map((value) => ({ [name]: value })),
  ];
  const guardrails = await db.$queryRaw<{ id: string }[]>`
    SELECT guardrail_id::text AS id FROM decisions WHERE guardrail_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`;
  const presets = await db.$queryRaw<{ slug: string }[]>`
    SELECT slug FROM generations JOIN presets ON presets.id = preset_id GROUP BY 1 ORDER BY count(*) DESC, 1`;
  const tags = await db.$queryRaw<{ tag: string }[]>`
    SELECT tag FROM keys, unnest(tags) tag WHERE organization_id = ${organizationId}::uuid GROUP BY 1 ORDER BY count(*) DESC, 1`;
  return [
    ["any", [{}]],
    await both("status", "status"),
    await both("model", "model"),
    await both("provider", "provider_slug"),
    ["key_hash", keyHashes.map((key_hash) => ({ key_hash }))],
    ["tag", [{ tag: tags[0]?.tag ?? "none" }, { tag: tags.at(-1)?.tag ?? "none" }]],
    ["user_id", userIds.map((user_id) => ({ user_id }))],
    await both("protocol", "api_type"),
    ["guardrail_id", [{ guardrail_id: guardrails[0]?.id }, { guardrail_id: guardrails.at(-1)?.id }]],
    ["blocked_by", [{ blocked_by: guardrails[0]?.id }, { blocked_by: guardrails.at(-1)?.id }]],
    ["rule", [{ rule: "secret-[0-9]+" }, { rule: "allowed_models" }]],
    ["action", [{ action: "redact" }, { action: "exclude" }]],
    ["preset", [{ preset: presets[0]?.slug }, { preset: presets.at(-1)?.slug }]],
    ["preset_version", [{ preset_version: "1" }, { preset_version: "2" }]],
    await both("session_id", "session_id"),
    await both("trace_id", "trace_id"),
    ["workspace_id", [{ workspace_id: workspaceId }]],
    [
      "time",
      [
        { from: daysAgo(60), to: daysAgo(30) },
        { from: daysAgo(45.1), to: daysAgo(45) },
      ],
    ],
    ["min_cost", [{ min_cost: "0.000021" }, { min_cost: "0.049" }]],
    ["max_cost", [{ max_cost: "0.05" }, { max_cost: "0.00002" }]],
    ["q", [{ q: "every" }, { q: "seldom" }]],
  ];
}

async function measurePairs(): Promise<void> {
  const filters = await filterValues();
  const all: Measured[] = [];
  for (const [index, [name, firsts]] of filters.entries())
    for (const [other, seconds] of filters.slice(index + 1))
      for (const first of firsts)
        for (const second of seconds) {
          const of = (given: object, values: readonly object[]) => (given === values[0] ? "" : " (rare)");
          const label = `${name}${of(first, firsts)}, ${other}${of(second, seconds)}`;
          if (!label.includes(options.only)) continue;
          all.push(await measure(label, call(listGenerations, generations, { limit: "50", ...first, ...second })));
        }
  for (const measured of all) compare(measured);
  heading(`Log by two filters, processor time over ${options.over} ms`);
  for (const measured of all
    .filter(({ processor }) => processor > Number(options.over))
    .toSorted((a, b) => b.processor - a.processor))
    show(measured);
  const sorted = (of: (measured: Measured) => number) => all.map(of).toSorted((a, b) => a - b);
  const at = (share: number, of: (measured: Measured) => number) => percentile(sorted(of), share).toFixed(1);
  process.stdout.write(
    `${all.length} pairs: median p50 ${at(0.5, ({ p50 }) => p50)} ms, p95 of p95 ${at(0.95, ({ p95 }) => p95)} ms, maximum ${at(1, ({ p95 }) => p95)} ms; processor time: median ${at(0.5, ({ processor }) => processor)} ms, p95 ${at(0.95, ({ processor }) => processor)} ms, maximum ${at(1, ({ processor }) => processor)} ms; median rows ${at(0.5, ({ rows }) => rows)}, maximum ${at(1, ({ rows }) => rows)}\n`,
  );
}

const wanted = positionals.length === 0 ? ["console", "pairs"] : positionals;
if (wanted.includes("console")) await measureConsole();
if (wanted.includes("pairs")) await measurePairs();
await plans.end();
await database.close();
await seeded?.stop();
for (const line of over) process.stderr.write(`Over its bar: ${line}\n`);
process.exit(over.length === 0 ? 0 : 1);
