// npm run bench:record: what recording a generation costs PostgreSQL and this process, without a gateway around it.
import { setTimeout as sleep } from "node:timers/promises";
import { budgetOf } from "../lib/engine/budgets/budget";
import type { BudgetRule } from "../lib/engine/budgets/budget-rule";
import { newGenerationId } from "../lib/platform/ids";
import { openPostgres } from "../lib/platform/database/open";
import { record } from "../lib/gateway/record/record-store";
import { reserve } from "../lib/records/budgets/service";
import { outcomeOf } from "../lib/testing/outcomes";
import { startPostgres } from "../lib/testing/postgres";
import { scriptArguments } from "../lib/platform/script-arguments.mjs";
import { newContext } from "./context";
import { postmasterOf } from "./lab";
import { DIFFERENT_PROMPTS, PROMPT } from "./prompts";
import { processorTime } from "./processor-time";
import { median } from "./statistics";

const { values } = scriptArguments("npm run bench:record --", {
  options: {
    generations: { type: "string", default: "5000" },
    concurrent: { type: "string", default: "32" },
    /** Records prompts that are all different instead of one of seven words. */
    different: { type: "boolean", default: false },
    /** Records no prompt. */
    "without-content": { type: "boolean", default: false },
    /** Charges no budget, so that a generation is nearly alone in the log. */
    "without-budget": { type: "boolean", default: false },
  },
});
const GENERATIONS = Number(values.generations);
const CONCURRENT = Number(values.concurrent);
const MEASURED = ["generations", "generation_contents", "decisions"];

const postgres = await startPostgres({ durable: true });
const database = await openPostgres(postgres.url("postgres"));
const postmaster = await postmasterOf(postgres.url("postgres"));
try {
  const { key } = await newContext(database.client);
  const prompts = values.different ? DIFFERENT_PROMPTS : [PROMPT];
  let turn = 0;
  const { keyId } = key.caller as { keyId: string };
  const rule: BudgetRule = {
    source: null,
    sourceId: keyId,
    subject: "key",
    subjectId: keyId,
    limitMicroUsd: 10n ** 15n,
    interval: "monthly",
    includesByok: false,
  };
  const durations: number[] = [];
  const one = async () => {
    const now = new Date();
    const id = newGenerationId(now);
    if (!values["without-budget"]) await reserve({ ...key, now }, id, [{ rule, microUsd: 500n }]);
    const outcome = outcomeOf({
      id,
      prompt: values["without-content"]
        ? null
        : { messages: [{ role: "user", content: prompts[turn++ % prompts.length] ?? PROMPT }], blocked: null },
      costMicroUsd: 165n,
      settlements: values["without-budget"]
        ? []
        : [{ budgetId: budgetOf(rule, now).id, generationId: id, costMicroUsd: 165n }],
    });
    const start = performance.now();
    await record({ ...key, now }, outcome);
    durations.push(performance.now() - start);
  };
  const run = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await one();
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
  };
  const query = async (sql: string) => Number((await database.query(sql)).rows[0]?.["value"]);
  const indexBytes = () =>
    query(
      `SELECT sum(pg_indexes_size(relid)) AS value FROM unnest(ARRAY['${MEASURED.join("','")}']) AS name, pg_partition_tree(name::regclass)`,
    );
  const walBytes = () => query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS value");

  await run(500);
  // A checkpoint during the run would add copies of whole pages to the log.
  await database.query("CHECKPOINT");
  await sleep(200);
  durations.length = 0;
  const used = async () => ({
    wal: await walBytes(),
    index: await indexBytes(),
    process: processorTime([process.pid]) ?? NaN,
    database: processorTime([postmaster]) ?? NaN,
  });
  const [before, start] = [await used(), performance.now()];
  await run(GENERATIONS);
  const [elapsed, after] = [performance.now() - start, await used()];
  const each = (name: keyof typeof after) => ((after[name] - before[name]) / GENERATIONS).toFixed(0);
  process.stdout.write(
    [
      `${GENERATIONS} generations, ${CONCURRENT} at once: ${((GENERATIONS / elapsed) * 1000).toFixed(0)}/s, record p50 ${median(durations).toFixed(1)} ms`,
      `| WAL bytes | index bytes | CPU µs | database CPU µs |`,
      `|---:|---:|---:|---:|`,
      `| ${each("wal")} | ${each("index")} | ${each("process")} | ${each("database")} |\n`,
    ].join("\n"),
  );
} finally {
  await database.close();
  await postgres.stop();
}
process.exit(0);
