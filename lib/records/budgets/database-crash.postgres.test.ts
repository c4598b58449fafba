import { afterAll, beforeAll, expect, it } from "vitest";
import type { BudgetRule } from "../../engine/budgets/budget-rule";
import { openPostgres, type OpenDatabase } from "../../platform/database/open";
import { uuidv7 } from "../../platform/ids";
import { startPostgres, type PostgresServer } from "../../testing/postgres";
import { NOW, testWorld } from "../../testing/test-context";
import { reserve } from "./service";

let server: PostgresServer;
const processes: OpenDatabase[] = [];
beforeAll(async () => {
  server = await startPostgres({ durable: true });
  for (let count = 0; count < 2; count++) processes.push(await openPostgres(server.url("postgres")));
});
afterAll(async () => {
  await Promise.all(processes.map(({ close }) => close()));
  await server.stop();
});

it("the last reservation of a budget outlives a crash of PostgreSQL, like the process that made it", async () => {
  const { context } = await testWorld();
  const reserveIn = (index: number, id: string) => {
    const { client: db } = processes[index] as OpenDatabase;
    return reserve({ ...context, db }, id, [{ rule, microUsd: 10n }]);
  };
  const sourceId = uuidv7(NOW);
  const rule: BudgetRule = {
    source: null,
    sourceId,
    subject: "key",
    subjectId: sourceId,
    limitMicroUsd: 10n,
    interval: "monthly",
    includesByok: false,
  };
  expect(await reserveIn(0, "gen-one")).toHaveProperty("held");
  await server.restart({ isCrash: true });
  expect(await reserveIn(1, "gen-two")).toHaveProperty("exhausted");
});
