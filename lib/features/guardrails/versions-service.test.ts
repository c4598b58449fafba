import { expect, it } from "vitest";
import { failure } from "../../testing/expect-failure";
import { testWorld, type World } from "../../testing/test-context";
import type { CreateGuardrailBody, UpdateGuardrailBody } from "../../records/guardrails/contract";
import * as guardrails from "./service";
import * as versions from "./versions-service";

const UNKNOWN_ID = "0df9e665-d932-5740-b2c7-b52af166bc11";
const create = async ({ context }: World, body: Partial<CreateGuardrailBody> = {}) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "G", ...body } })).data.id;
const update = ({ context }: World, id: string, body: UpdateGuardrailBody) =>
  guardrails.update(context, { params: { id }, query: {}, body });
const list = ({ context }: World, id: string, page: { offset?: number; limit?: number } = {}) =>
  versions.list(context, { params: { id }, query: { offset: 0, limit: 50, ...page }, body: undefined });
const get = ({ context }: World, id: string, n: number) =>
  versions.get(context, { params: { id, n }, query: {}, body: undefined });
const restore = (
  { context }: World,
  id: string,
  n: number,
  ifMatch: number[] | null = null,
  revision_message?: string,
) => versions.restore({ ...context, ifMatch }, { params: { id, n }, query: {}, body: { revision_message } });

it("lists revisions newest first, with author, changed fields and message, consistently across pages", async () => {
  const world = await testWorld();
  const admin = await world.context.db.member.update({ where: { id: world.adminId }, data: { firstName: "Ada" } });
  const id = await create(world, { limit_usd: 1, revision_message: "First try" });
  await update(world, id, { limit_usd: 2, allowed_models: ["a"] });
  await update(world, id, { name: "New", revision_message: "Renamed" });
  const { data, total_count } = await list(world, id);
  expect(total_count).toBe(3);
  expect(data.map(({ revision, message, changed_fields }) => [revision, message, changed_fields])).toEqual([
    [3, "Renamed", ["name"]],
    [2, null, ["allowed_models", "limit_usd"]],
    [1, "First try", ["name", "limit_usd"]],
  ]);
  expect(data[0]?.author).toEqual({ id: admin.id, name: "Ada" });
  for (const offset of [0, 1, 2]) expect((await list(world, id, { offset, limit: 1 })).data).toEqual([data[offset]]);
});

it("returns every field of every revision", async () => {
  const world = await testWorld();
  const id = await create(world, { content_filters: [{ pattern: "x", action: "block" }] });
  await update(world, id, { content_filters: null, enforce_zdr: true });
  expect((await get(world, id, 1)).data).toMatchObject({
    revision: 1,
    fields: { name: "G", content_filters: [{ pattern: "x", action: "block" }], enforce_zdr_vendor_a: null },
  });
  expect((await get(world, id, 2)).data).toMatchObject({
    changed_fields: expect.arrayContaining(["content_filters", "enforce_zdr_vendor_a"]) as string[],
    fields: { content_filters: null, enforce_zdr_vendor_a: true },
  });
});

it("restores as a new revision with the same fields, and keeps the history", async () => {
  const world = await testWorld();
  const first = {
    description: "As it was",
    allowed_models: ["a", "b"],
    limit_usd: 1.5,
    reset_interval: "daily" as const,
    enforce_zdr_vendor_b: true,
    content_filter_builtins: [{ slug: "email" as const, action: "block" as const }],
  };
  const id = await create(world, first);
  await update(world, id, {
    name: "New",
    description: null,
    allowed_models: null,
    limit_usd: null,
    reset_interval: null,
    enforce_zdr_vendor_b: false,
    content_filter_builtins: null,
  });
  const { data } = await restore(world, id, 1);
  expect(data).toMatchObject({
    name: "G",
    revision: 3,
    ...first,
    content_filter_builtins: [{ slug: "email", action: "block", label: "[EMAIL]" }],
  });
  expect((await get(world, id, 3)).data.fields).toEqual((await get(world, id, 1)).data.fields);
  expect((await list(world, id)).data.map(({ message }) => message)).toEqual(["Restored revision 1", null, null]);
  await restore(world, id, 2, [3], "Better after all");
  expect((await get(world, id, 4)).data.message).toBe("Better after all");
});

it("rejects an outdated If-Match with 412 and an unknown revision with 404, and changes nothing", async () => {
  const world = await testWorld();
  const id = await create(world);
  await update(world, id, { name: "New" });
  expect(await failure(restore(world, id, 1, [1]))).toEqual({ status: 412, metadata: { current_revision: 2 } });
  expect(await failure(restore(world, id, 9))).toMatchObject({ status: 404 });
  expect(await failure(get(world, id, 9))).toMatchObject({ status: 404 });
  expect((await list(world, id)).total_count).toBe(2);
});

it("answers 404 for a foreign and an unknown guardrail", async () => {
  const [world, other] = await Promise.all([testWorld(), testWorld()]);
  for (const id of [await create(other), UNKNOWN_ID]) {
    const failures = await Promise.all([list(world, id), get(world, id, 1), restore(world, id, 1)].map(failure));
    for (const each of failures) expect(each).toMatchObject({ status: 404 });
  }
});
