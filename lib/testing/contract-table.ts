import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { toIssues } from "../platform/http/issues";

/** A documented rule: accepted values, and rejected values with the path of the issue. */
export type Row = readonly [
  fact: string,
  allowed: readonly unknown[],
  refused: readonly (readonly [value: unknown, path: string])[],
];

const pathsOf = (schema: z.ZodType, value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.flatMap((issue) => toIssues(issue))
    .map(({ path }) => path.join(".")) ?? [];

/** Checks a table of rules against a schema; `wrap` embeds a value in a complete document. */
export function checkTable(
  name: string,
  schema: z.ZodType,
  rows: readonly Row[],
  wrap: (value: unknown) => unknown = (value) => value,
): void {
  describe(name, () => {
    it.each(rows)("%s", (_fact, allowed, refused) => {
      for (const value of allowed) expect([value, pathsOf(schema, wrap(value))]).toEqual([value, []]);
      for (const [value, path] of refused) expect([value, pathsOf(schema, wrap(value))]).toEqual([value, [path]]);
    });
  });
}
