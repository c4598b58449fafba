import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { failure } from "../../testing/expect-failure";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld } from "../../testing/test-context";
import { tailGenerations } from "./contract";
import * as generations from "./service";

const tail = (context: Context, query: object = {}) =>
  generations.tail(context, { params: {}, query: tailGenerations.query?.parse(query) as never, body: undefined });

/**
 * Reads the records after `since` until there are `count`, because another database's open transaction may delay them.
 */
async function following(context: Context, since: string, count: number) {
  for (;;) {
    const answer = await tail(context, { since });
    if (answer.data.length >= count) return answer;
  }
}

describe("following the log", () => {
  it("starts at the end, then returns each new record once, including requests started long before", async () => {
    const world = await testWorld();
    const begin = await tail(world.context);
    expect(begin.data).toEqual([]);
    await createGeneration(world);
    const start = await following(world.context, begin.next_cursor, 1);
    const recent = await createGeneration(world);
    const longRunning = await createGeneration(world, { createdAt: new Date(NOW.getTime() - 3_600_000) });
    const next = await following(world.context, start.next_cursor, 2);
    expect(next.data.map(({ id }) => id)).toEqual([recent, longRunning]);
    expect((await tail(world.context, { since: next.next_cursor })).data).toEqual([]);
  });

  it("returns matching generations, page by page", async () => {
    const world = await testWorld();
    const { next_cursor: start } = await tail(world.context);
    const made: string[] = [];
    for (let index = 0; index < 5; index++)
      made.push(await createGeneration(world, { status: index % 2 === 0 ? "failed" : "succeeded" }));
    await following(world.context, start, made.length);
    const first = await tail(world.context, { since: start, limit: "2", status: "failed" });
    const second = await tail(world.context, { since: first.next_cursor, limit: "2", status: "failed" });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual([made[0], made[2], made[4]]);
    expect((await tail(world.context, { since: start, status: "blocked" })).data).toEqual([]);
  });

  it("excludes other organizations", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const { next_cursor: since } = await tail(world.context);
    await createGeneration(other);
    expect((await tail(world.context, { since })).data).toEqual([]);
  });

  it.each(["x", Buffer.from("1~gen 1").toString("base64url")])("rejects the malformed cursor %j", async (since) => {
    const { context } = await testWorld();
    expect(await failure(tail(context, { since }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["since"] }] },
    });
  });
});
