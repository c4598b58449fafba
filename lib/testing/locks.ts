import { expect } from "vitest";
import type { World } from "./test-context";

/** Waits until a statement of another connection waits for a lock. */
export const somethingWaits = ({ context: { db } }: World) =>
  expect
    .poll(
      () => db.$queryRaw`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { timeout: 30_000 },
    )
    .not.toEqual([]);
