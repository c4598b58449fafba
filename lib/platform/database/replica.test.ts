import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { bytesInUse } from "../../testing/heap";
import { PlainSignal } from "../signal";
import { attachReplica, onReplica, type ReadOutcome } from "./replica";
import type { Database } from "./transaction";

/** A database with a standby that is current until its connection is lost. */
function withStandby() {
  const [primary, client] = [{}, {}] as [Database, Database];
  const connection = new PlainSignal();
  const counted: ReadOutcome[] = [];
  attachReplica(primary, {
    client,
    stalenessMs: () => 0,
    maxStalenessMs: 1,
    connection: () => (connection.aborted ? null : connection),
    count: (outcome) => void counted.push(outcome),
  });
  return { primary, client, connection, counted };
}

it("retains nothing of finished reads", async () => {
  const { primary, connection, counted } = withStandby();
  const read = () => onReplica(primary, () => Promise.resolve(Buffer.alloc(100_000, 1)));
  await read();
  const before = bytesInUse();
  for (let count = 0; count < 2_000; count += 1) await read();
  await nextTurn();
  // Keeping all of them would take 200 MB.
  expect(bytesInUse() - before).toBeLessThan(60_000_000);
  expect(counted).toHaveLength(2_001);
  connection.abort();
});

it("repeats on the primary what is still read when the connection is lost", async () => {
  const { primary, client, connection, counted } = withStandby();
  const reading = onReplica(primary, (db) =>
    db === client ? new Promise<string>(() => undefined) : Promise.resolve("primary"),
  );
  connection.abort(new Error("lost"));
  expect(await reading).toBe("primary");
  expect(await onReplica(primary, (db) => Promise.resolve(db === primary))).toBe(true);
  expect(counted).toEqual(["failed", "unreachable"]);
});
