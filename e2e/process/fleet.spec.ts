import { drain, DRAIN, runFleet, skipWithoutHaproxy, workerPid, type Member } from "../fleet";
import { test } from "../own-server";

test.describe.configure({ timeout: 600_000 });

/** Kills one process, stops another, and starts each again. */
const endings = (killed: Member, stopped: Member, restart: (member: Member) => Promise<void>) => [
  {
    name: "killed",
    isDisruptive: true,
    during: async () => killed.server.signal("SIGKILL"),
    after: () => restart(killed),
  },
  { name: "stopped", isDisruptive: false, during: () => drain(stopped), after: () => restart(stopped) },
];

test("two processes on one PostgreSQL: one is killed, the other stopped, PostgreSQL crashes", async ({ own }) => {
  await runFleet({
    own,
    processes: [DRAIN, DRAIN],
    hasProxy: false,
    faults: ({ members: [one, two], database, restart, random }) => [
      ...endings(one as Member, two as Member, restart),
      {
        name: "PostgreSQL crashed",
        isDisruptive: true,
        during: () => database.restart({ isCrash: true, pauseMs: random(1000) }),
      },
    ],
  });
});

test("three processes on one PostgreSQL behind HAProxy: a process and a worker are killed, one is stopped, PostgreSQL restarts and crashes", async ({
  own,
}) => {
  skipWithoutHaproxy();
  await runFleet({
    own,
    processes: [DRAIN, DRAIN, { ...DRAIN, SIGNALBOX_WORKERS: "2" }],
    hasProxy: true,
    faults: ({ members: [one, two, three], database, restart, random }) => [
      ...endings(one as Member, two as Member, restart),
      {
        name: "worker killed",
        isDisruptive: true,
        during: async () => process.kill(workerPid(three as Member), "SIGKILL"),
      },
      {
        name: "PostgreSQL restarted",
        isDisruptive: true,
        during: () => database.restart({ pauseMs: random(2000) }),
      },
      {
        name: "PostgreSQL crashed",
        isDisruptive: true,
        during: () => database.restart({ isCrash: true, pauseMs: random(2000) }),
      },
    ],
  });
});
