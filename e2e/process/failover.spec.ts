import { startDatabasePair } from "../database-pair";
import { DRAIN, runFleet, skipWithoutHaproxy, type Member } from "../fleet";
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
    faults: ({ members, database, restart, random }) => {
      const killed = members[random(members.length)] as Member;
      const during = async () => {
        killed.server.signal("SIGKILL");
        await database.failOver(random(1000));
      };
      return [{ name: "failover", isDisruptive: true, recoveryMs: 60_000, during, after: () => restart(killed) }];
    },
  });
});
