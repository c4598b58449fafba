import { startDatabasePair } from "../database-pair";
import { DRAIN, failover, runFleet, skipWithoutHaproxy } from "../fleet";
import { test } from "../own-server";

test.describe.configure({ timeout: 240_000 });

test("two processes, and a primary and its synchronous standby behind HAProxy: the primary and a process are killed, the standby promoted", async ({
  own,
}) => {
  skipWithoutHaproxy();
  await runFleet({
    own,
    processes: [DRAIN, DRAIN],
    hasProxy: true,
    startPair: startDatabasePair,
    faults: failover,
  });
});
