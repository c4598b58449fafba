import { DRAIN, report, runFleet } from "../fleet";
import { isHaproxyInstalled } from "../haproxy";
import { test } from "../own-server";

test.describe.configure({ timeout: 240_000 });

test("two processes, and a primary and its synchronous standby behind HAProxy: the primary is killed, the standby promoted", async ({
  own,
}) => {
  const isInstalled = isHaproxyInstalled();
  if (!isInstalled) report("Skipped: HAProxy isn't installed (apt-get install haproxy)");
  test.skip(!isInstalled, "HAProxy isn't installed (apt-get install haproxy)");
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
