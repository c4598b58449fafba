import { DRAIN, runFleet, skipWithoutHaproxy } from "../fleet";
import { test } from "../own-server";

test.describe.configure({ timeout: 240_000 });

test("two processes, and a primary and its synchronous standby behind HAProxy: the primary is killed, the standby promoted", async ({
  own,
}) => {
  skipWithoutHaproxy();
  await runFleet({
    own,
    processes: [DRAIN, DRAIN],
    hasProxy: true,
    hasStandby: true,
    faults: ({ failOver, random }) => [
      { name: "failover", isDisruptive: true, recoveryMs: 60_000, during: () => failOver(random(1000)) },
    ],
  });
});
