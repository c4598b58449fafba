import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { grantsOf } from "../../records/roles/grants";
import { memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { removeMany } from "./removal-service";
import { deleteGenerationContents } from "./removal-contract";

const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const remove = async (context: Context, query: object) =>
  deleteGenerationContents.result.parse(
    await removeMany(context, {
      params: {},
      query: deleteGenerationContents.query?.parse(query) as never,
      body: undefined,
    }),
  );
const contentsOf = ({ context, organizationId }: World) =>
  context.db.generationContent.count({ where: { generation: { organizationId } } });

async function fill(world: World, count: number, overrides: Parameters<typeof createGeneration>[1] = {}) {
  for (let index = 0; index < count; index++)
    await createGeneration(world, { createdAt: ago(Math.floor(index / 2)), content: {}, ...overrides });
}

it("counts matching contents without deleting them", async () => {
  const world = await testWorld();
  await fill(world, 3);
  await fill(world, 2, { model: "other" });
  await createGeneration(world, { content: {}, contentDeletedAt: NOW });
  await createGeneration(world);
  expect(await remove(world.context, { model: "sandbox/echo", dry_run: "true" })).toEqual({
    deleted_count: 0,
    next_cursor: null,
    preview: { count: 3, is_more: false },
  });
  expect(await contentsOf(world)).toBe(6);
  expect(await world.context.db.auditEvent.count({ where: { organizationId: world.organizationId } })).toBe(0);
});

it("deletes matching contents batch by batch, each once, and nothing else", async () => {
  const [world, foreign] = [await testWorld(), await testWorld()];
  await fill(world, 7);
  await fill(world, 2, { model: "other" });
  await fill(foreign, 2);
  const counts: number[] = [];
  let cursor: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof remove>> = await remove(world.context, {
      model: "sandbox/echo",
      limit: "3",
      ...(cursor !== null && { cursor }),
    });
    counts.push(answer.deleted_count);
    cursor = answer.next_cursor;
  } while (cursor !== null);
  expect(counts).toEqual([3, 3, 1]);
  expect([await contentsOf(world), await contentsOf(foreign)]).toEqual([2, 2]);
  expect(
    await world.context.db.generation.count({ where: { organizationId: world.organizationId, contentDeletedAt: NOW } }),
  ).toBe(7);
  expect((await remove(world.context, { model: "sandbox/echo" })).deleted_count).toBe(0);
  const events = await world.context.db.auditEvent.findMany({
    where: { organizationId: world.organizationId },
    orderBy: { id: "asc" },
  });
  expect(events.map(({ action, after }) => ({ action, after }))).toEqual(
    [3, 3, 1].map((deleted_count) => ({
      action: "generation.delete_contents",
      after: { deleted_count, filters: { model: "sandbox/echo" } },
    })),
  );
});

it("finds content by search text also while deleting it", async () => {
  const world = await testWorld();
  await fill(world, 2, { content: { searchText: "the secret word" } });
  await fill(world, 1);
  expect((await remove(world.context, { q: "secret" })).deleted_count).toBe(2);
  expect(await contentsOf(world)).toBe(1);
});

it("counts and deletes by words only for whoever may read content", async () => {
  const world = await testWorld();
  await fill(world, 1, { content: { searchText: "the secret word" } });
  const having = (...permissions: string[]): Context => {
    const grants = grantsOf([{ role: null, permissions, workspace: null }]);
    return { ...world.context, caller: memberCaller(world, world.adminId, { grants }) };
  };
  const refused = { status: 403, metadata: { permission: "contents:read" } };
  for (const dry_run of ["true", "false"])
    await expect(remove(having("contents:delete"), { q: "secret", dry_run })).rejects.toMatchObject(refused);
  const both = having("contents:delete", "contents:read");
  expect((await remove(both, { q: "secret", dry_run: "true" })).preview).toMatchObject({ count: 1 });
  expect((await remove(having("contents:delete"), { status: "succeeded" })).deleted_count).toBe(1);
});

it("counts nothing twice during concurrent deletions", async () => {
  const world = await testWorld();
  await fill(world, 10);
  const answers = await Promise.all([1, 2].map(() => remove(world.context, { status: "succeeded" })));
  expect(answers.reduce((sum, { deleted_count }) => sum + deleted_count, 0)).toBe(10);
});

it("rejects requests without a filter, and unknown filters", () => {
  const accepts = (query: object) => deleteGenerationContents.query?.safeParse(query).success;
  expect([accepts({}), accepts({ dry_run: "true" }), accepts({ modle: "x" }), accepts({ model: "x" })]).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
