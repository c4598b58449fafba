import { expect } from "@playwright/test";
import type { Operation } from "../lib/platform/http/operation";

/**
 * Checks operations one after another and lists the failures. They share a test, because a test takes several times as
 * long as its request.
 */
export async function forEachOperation<O extends Pick<Operation, "method" | "path">>(
  operations: readonly O[],
  check: (operation: O) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [];
  for (const operation of operations)
    await check(operation).catch((error: unknown) =>
      failures.push(`${operation.method} ${operation.path}: ${error instanceof Error ? error.message : String(error)}`),
    );
  expect(operations.length).toBeGreaterThan(0);
  expect(failures).toEqual([]);
}
