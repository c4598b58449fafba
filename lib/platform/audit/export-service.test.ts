import { expect, it } from "vitest";
import { NOW, testWorld } from "../../testing/test-context";
import type { Context } from "../context";
import { AuditEvent, exportAuditEvents } from "./contract";
import { exportAll } from "./export-service";
import { list } from "./service";
import { recordChange, recordChanges } from "./store";

const exported = (context: Context, query: object = {}) =>
  exportAll(context, { params: {}, query: exportAuditEvents.query?.parse(query) as never, body: undefined });
const change = (id: string, name = "T") =>
  ({ action: "thing.update", target: { type: "thing", id, name }, before: { limit: 1 } }) as const;
const linesOf = async (answer: { body: ReadableStream }) => (await new Response(answer.body).text()).split(/\r?\n/);

it("contains every matching event, newest first, over several batches", async () => {
  const { context } = await testWorld();
  const ids = Array.from({ length: 1002 }, (_, index) => `t${index}`);
  await recordChanges(
    context.db,
    context,
    ids.map((id) => change(id)),
  );
  await recordChange(context.db, { ...context, now: new Date(NOW.getTime() + 1000) }, change("last"));
  const events = (await linesOf(await exported(context, { target_type: "thing" })))
    .slice(0, -1)
    .map((line) => AuditEvent.parse(JSON.parse(line)));
  expect(events[0]?.target.id).toBe("last");
  expect(events.map(({ target }) => target.id).toSorted()).toEqual([...ids, "last"].toSorted());
  expect(await linesOf(await exported(context, { target_id: "t7" }))).toHaveLength(2);
});

it("escapes formulas and line breaks as CSV", async () => {
  const { context } = await testWorld();
  await recordChange(context.db, context, change("g", "=A1, and comma"));
  const answer = await exported(context, { format: "csv", target_id: "g" });
  expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="audit-events-[\d-]+\.csv"$/);
  const [head, line, end] = await linesOf(answer);
  expect(head).toBe(
    "created_at,actor_type,actor_id,actor_name,action,target_type,target_id,target_name,workspace_id,ip,request_id,before,after",
  );
  expect(line).toContain(`,thing.update,thing,g,"'=A1, and comma",`);
  expect(line).toMatch(/,"\{""limit"":1\}",$/);
  expect(end).toBe("");
});

it("is recorded with its filters and shows nothing of another organization", async () => {
  const [world, other] = [await testWorld(), await testWorld()];
  await recordChange(world.context.db, world.context, change("g"));
  expect(await linesOf(await exported(other.context, { target_id: "g" }))).toEqual([""]);
  const { data } = await list(other.context, { params: {}, query: { limit: 10 }, body: undefined });
  expect(data).toMatchObject([
    { action: "audit_event.export", after: { format: "jsonl", filters: { target_id: "g" } } },
  ]);
});

it("reads no more batches once the caller stops", async () => {
  const { context } = await testWorld();
  await recordChanges(
    context.db,
    context,
    Array.from({ length: 1002 }, (_, index) => change(`t${index}`)),
  );
  let pages = 0;
  const auditEvent = new Proxy(context.db.auditEvent, {
    get: (target, name) => {
      if (name === "findMany") pages += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  const db = new Proxy(context.db, {
    get: (target, name) => (name === "auditEvent" ? auditEvent : (Reflect.get(target, name) as unknown)),
  });
  const reader = (await exported({ ...context, db })).body.getReader();
  await reader.read();
  await reader.cancel();
  expect(pages).toBe(1);
});
