import { expect, it } from "vitest";
import { contractSteps } from "./contract-steps.mjs";

const stepsOf = (...sqls: string[]) =>
  contractSteps(sqls.map((sql, index) => ({ name: String(index), sql }))).map(({ problem }) => problem.split(":")[0]);

it.each<[string, string]>([
  ["drops a table", 'DROP TABLE IF EXISTS "keys";'],
  ["drops a column", 'ALTER TABLE "keys" ADD COLUMN "a" TEXT, DROP COLUMN "b";'],
  ["renames", 'ALTER TABLE keys RENAME COLUMN "a" TO "b";'],
  ["changes a type", 'ALTER TABLE "keys" ALTER COLUMN "a" SET DATA TYPE BIGINT;'],
  ["changes a type", 'ALTER TABLE "keys" ALTER "a" TYPE BIGINT USING a::bigint;'],
  ["requires a column", 'ALTER TABLE "keys" ALTER COLUMN "a" SET NOT NULL;'],
  ["adds a required column without a default", 'ALTER TABLE "keys" ADD COLUMN "a" NUMERIC(3, 1) NOT NULL;'],
  ["drops a type", 'DROP TYPE "kind";'],
  ["renames a type or one of its values", `ALTER TYPE "kind" RENAME VALUE 'a' TO 'b';`],
])("%s", (step, sql) => expect(stepsOf(sql)).toEqual([step]));

it.each([
  'ALTER TABLE "keys" ADD COLUMN "a" TEXT, ADD COLUMN "b" INT NOT NULL DEFAULT 0;',
  'ALTER TABLE "keys" ADD COLUMN "c" INT NOT NULL GENERATED ALWAYS AS (1) STORED, DROP CONSTRAINT "keys_check";',
  'ALTER TABLE "keys" ADD CONSTRAINT "named" CHECK ("a" IS NOT NULL);',
  'CREATE TABLE "new" ("id" UUID NOT NULL); DROP INDEX "old";',
  "-- DROP TABLE keys;\nCREATE FUNCTION f() RETURNS void AS $body$ BEGIN DROP TABLE scratch; END $body$ LANGUAGE plpgsql;",
])("expands: %s", (sql) => expect(stepsOf(sql)).toEqual([]));

it("names each table that is dropped", () =>
  expect(stepsOf('CREATE TABLE "sums" ("a" INT);', 'DROP TABLE "sums", "keys" CASCADE;')).toEqual(["drops a table"]));

it("lets a table change that was created since the release", () =>
  expect(stepsOf('CREATE TABLE "sums" ("a" INT);', 'ALTER TABLE "sums" DROP COLUMN "a"; DROP TABLE "sums";')).toEqual(
    [],
  ));
