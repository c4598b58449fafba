import { randomUUID } from "node:crypto";
import PgBoss from "pg-boss";
import { expect, it } from "vitest";
import { QUEUE_OPTIONS, runJobSql } from "./queue";

it("reports a job's end that can't be stored, and rejects other statements, while the database is lost", async () => {
  const lost = new Error("Connection terminated unexpectedly");
  const reported: unknown[] = [];
  const executeSql = runJobSql(
    () => Promise.reject(lost),
    (error) => reported.push(error),
  );
  const boss = new PgBoss({ ...QUEUE_OPTIONS, db: { executeSql } });
  await boss.complete("watch", randomUUID());
  await boss.fail("watch", randomUUID(), new Error("boom"));
  expect(reported).toEqual([lost, lost]);
  await expect(boss.archive()).rejects.toThrow(lost);
});
