import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { encodeCursor } from "../http/cursor";
import { createKey, keyCaller } from "../../testing/factories";
import { NOW, testWorld } from "../../testing/test-context";
import { recordChange } from "./store";
import * as auditEvents from "./service";

const list = (context: Context, query: Partial<Parameters<typeof auditEvents.list>[1]["query"]> = {}) =>
  auditEvents.list(context, { params: {}, query: { limit: 50, ...query }, body: undefined });

const at = (second: number) => new Date(NOW.getTime() + second * 1000);
const record = (context: Context, second: number, action: `${string}.${string}`, id = `t${second}`) =>
  recordChange(
    context.db,
    { ...context, now: at(second) },
    { action, target: { type: "thing", id, name: "T" }, after: { second } },
  );

describe("the audit log", () => {
  it("records actor, action and target", async () => {
    const world = await testWorld({ ip: "192.0.2.7" });
    const { context, adminId } = world;
    await record(context, 0, "thing.create");
    const { id } = await createKey(world, { kind: "management" });
    const caller = keyCaller(world, id, "management");
    await record({ ...context, caller }, 1, "thing.delete");
    expect((await list(context)).data).toMatchObject([
      { actor: { type: "key", id, name: "Key" }, action: "thing.delete" },
      {
        actor: { type: "member", id: adminId, name: "Admin" },
        action: "thing.create",
        target: { type: "thing", id: "t0", name: "T" },
        workspace_id: null,
        before: null,
        after: { second: 0 },
        ip: "192.0.2.7",
        request_id: "req-test",
        created_at: NOW.toISOString(),
      },
    ]);
  });

  it("counts the events of a range by action, most frequent first", async () => {
    const { context } = await testWorld();
    for (const [second, action] of [
      [0, "thing.create"],
      [1, "thing.update"],
      [2, "thing.update"],
      [9, "thing.delete"],
    ] as const)
      await record(context, second, action);
    const count = (from: Date, to?: Date) =>
      auditEvents.count(context, {
        params: {},
        query: { from: from.toISOString(), ...(to && { to: to.toISOString() }) },
        body: undefined,
      });
    expect((await count(NOW, at(9))).data).toEqual([
      { action: "thing.update", count: 2 },
      { action: "thing.create", count: 1 },
    ]);
    expect((await count(at(1), at(2))).data).toEqual([{ action: "thing.update", count: 1 }]);
    const early = new Date(at(9).getTime() - 32 * 24 * 60 * 60_000);
    await expect(count(early, at(9))).rejects.toMatchObject({ status: 400 });
    const other = await testWorld();
    expect(
      (await auditEvents.count(other.context, { params: {}, query: { from: NOW.toISOString() }, body: undefined }))
        .data,
    ).toEqual([]);
  });

  it("pages through everything once, including simultaneous events", async () => {
    const { context } = await testWorld();
    for (const second of [0, 1, 1, 1, 2]) await record(context, second, "thing.update");
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(context, { limit: 2, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual((await list(context)).data.map(({ id }) => id));
    expect(new Set(seen).size).toBe(5);
  });

  it("filters by actor, action, target and time", async () => {
    const { context, adminId } = await testWorld();
    await record(context, 0, "thing.create");
    await record(context, 1, "thing.update");
    await record(context, 2, "thing.update");
    const ids = async (query: Parameters<typeof list>[1]) =>
      (await list(context, query)).data.map(({ target }) => target.id);
    expect(await ids({ actor_id: adminId })).toHaveLength(3);
    expect(await ids({ actor_id: "user_other" })).toEqual([]);
    expect(await ids({ action: "thing.update" })).toEqual(["t2", "t1"]);
    expect(await ids({ target_type: "thing", target_id: "t0" })).toEqual(["t0"]);
    expect(await ids({ from: at(1).toISOString(), to: at(2).toISOString() })).toEqual(["t1"]);
  });

  it("gets an event of the own organization only", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await record(world.context, 0, "thing.create");
    const [event] = (await list(world.context)).data;
    const get = (context: Context) =>
      auditEvents.get(context, { params: { id: event?.id ?? "" }, query: {}, body: undefined });
    expect((await get(world.context)).data).toEqual(event);
    await expect(get(other.context)).rejects.toMatchObject({ status: 404 });
  });

  it("excludes other organizations and rejects a cursor of another list", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    await record(world.context, 0, "thing.create");
    expect((await list(other.context)).data).toEqual([]);
    await expect(list(world.context, { cursor: encodeCursor([NOW, "gen-1-abc"]) })).rejects.toMatchObject({
      status: 400,
    });
  });
});
