import { DRAIN, failoverAndBack, runFleet, skipBecause } from "../fleet";
import { test } from "../own-server";
import { missingForPatroni, startPatroniPair } from "../patroni-pair";

test.describe.configure({ timeout: 480_000 });

test("two processes, and two servers under Patroni behind HAProxy: the primary, its Patroni and a process are killed, the server rejoins, and both happen again", async ({
  own,
}) => {
  const missing = missingForPatroni().join(" ");
  if (missing) skipBecause(`Patroni or what it needs isn't installed (apt-get install ${missing})`);
  await runFleet({
    own,
    processes: [DRAIN, DRAIN],
    hasProxy: true,
    startPair: startPatroniPair,
    faults: failoverAndBack,
  });
});
