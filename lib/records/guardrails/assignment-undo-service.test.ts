import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as keyService from "../keys/service";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import * as workspaces from "../workspaces/service";
import { cases } from "../../testing/random";
import { assignKeys, assignMembers, unassignKeys, unassignMembers } from "./assignment-changes-service";
import { undo } from "./assignment-undo-service";
import * as guardrails from "../../features/guardrails/service";

const KINDS = ["keys", "members"] as const;
type Kind = (typeof KINDS)[number];
const UNKNOWN_ID = "0df9e665-d932-5740-b2c7-b52af166bc11";

const guardrailOf = async ({ context }: World, name = "G", workspace_id?: string) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name, workspace_id } })).data.id;
const subjectOf = (world: World, kind: Kind) =>
  kind === "keys" ? createKey(world).then(({ hash }) => hash) : createMember(world);
const removeGuardrail = ({ context }: World, id: string) =>
  guardrails.remove(context, { params: { id }, query: {}, body: undefined });

async function assign(
  { context }: World,
  kind: Kind,
  id: string,
  names: string[],
  dry_run: "true" | "false" = "false",
) {
  const input = { params: { id }, query: { dry_run } };
  return kind === "keys"
    ? assignKeys(context, { ...input, body: { key_hashes: names } })
    : assignMembers(context, { ...input, body: { member_user_ids: names } });
}
async function unassign(
  { context }: World,
  kind: Kind,
  id: string,
  names: string[],
  dry_run: "true" | "false" = "false",
) {
  const input = { params: { id }, query: { dry_run } };
  return kind === "keys"
    ? unassignKeys(context, { ...input, body: { key_hashes: names } })
    : unassignMembers(context, { ...input, body: { member_user_ids: names } });
}
const undone = ({ context }: World, change_id: string | undefined) =>
  undo(context, { params: {}, query: {}, body: { change_id: change_id ?? UNKNOWN_ID } });

/** Returns every assignment with all columns. */
async function everything({ context: { db }, organizationId }: World) {
  const where = { organizationId };
  const [keys, members] = await Promise.all([
    db.guardrailKeyAssignment.findMany({ where }),
    db.guardrailMemberAssignment.findMany({ where }),
  ]);
  return [...keys, ...members].sort((a, b) => a.id.localeCompare(b.id));
}

describe.each(KINDS)("assignments of %s", (kind) => {
  const wireField = kind === "keys" ? "key_hash" : "user_id";

  it("a dry run reports new, moved and unchanged targets and changes nothing", async () => {
    const world = await testWorld();
    const [from, to] = [await guardrailOf(world), await guardrailOf(world)];
    const [fresh, moving, staying] = [
      await subjectOf(world, kind),
      await subjectOf(world, kind),
      await subjectOf(world, kind),
    ];
    await assign(world, kind, from, [moving]);
    await assign(world, kind, to, [staying]);
    const before = await everything(world);
    expect(await assign(world, kind, to, [fresh, moving, staying], "true")).toEqual({
      assigned_count: 3,
      preview: { new: [fresh], moved: [{ [wireField]: moving, from_guardrail_id: from }], unchanged: [staying] },
    });
    expect(await unassign(world, kind, to, [moving, staying], "true")).toEqual({
      unassigned_count: 1,
      preview: { new: [], moved: [{ [wireField]: staying, from_guardrail_id: to }], unchanged: [moving] },
    });
    expect(await everything(world)).toEqual(before);
    expect(
      await world.context.db.auditEvent.count({
        where: { organizationId: world.organizationId, action: { contains: "assign" } },
      }),
    ).toBe(2);
  });

  it("undo restores moves and removals exactly, once", async () => {
    const world = await testWorld();
    const [from, to] = [await guardrailOf(world), await guardrailOf(world)];
    const names = [await subjectOf(world, kind), await subjectOf(world, kind)];
    await assign(world, kind, from, names.slice(0, 1));
    const before = await everything(world);
    const moved = await assign(world, kind, to, names);
    const between = await everything(world);
    const removed = await unassign(world, kind, to, names);
    expect(await undone(world, removed.change_id)).toEqual({ restored_count: 2 });
    expect(await everything(world)).toEqual(between);
    expect(await undone(world, moved.change_id)).toEqual({ restored_count: 2 });
    expect(await everything(world)).toEqual(before);
    for (const change of [moved, removed])
      expect(await failure(undone(world, change.change_id))).toMatchObject({ status: 409 });
  });

  it("is rejected when a target has changed since, names it with its current guardrail, and changes nothing", async () => {
    const world = await testWorld();
    const [first, second] = [await guardrailOf(world), await guardrailOf(world, "Elsewhere")];
    const names = [await subjectOf(world, kind), await subjectOf(world, kind)];
    const { change_id } = await assign(world, kind, first, names);
    await assign(world, kind, second, names.slice(1));
    const before = await everything(world);
    expect(await failure(undone(world, change_id))).toMatchObject({
      status: 409,
      metadata: {
        conflicts: [{ [wireField]: names[1], reason: "changed", guardrail_id: second, guardrail_name: "Elsewhere" }],
      },
    });
    expect(await everything(world)).toEqual(before);
  });

  it("is rejected when a target was changed and manually changed back", async () => {
    const world = await testWorld();
    const [first, second] = [await guardrailOf(world), await guardrailOf(world)];
    const name = await subjectOf(world, kind);
    await assign(world, kind, first, [name]);
    const { change_id } = await unassign(world, kind, first, [name]);
    await assign(world, kind, second, [name]);
    await unassign(world, kind, second, [name]);
    expect(await failure(undone(world, change_id))).toMatchObject({
      status: 409,
      metadata: { conflicts: [{ [wireField]: name, reason: "changed", guardrail_id: null }] },
    });
  });

  it("is rejected when the previous guardrail was deleted", async () => {
    const world = await testWorld();
    const [from, to] = [await guardrailOf(world), await guardrailOf(world)];
    const name = await subjectOf(world, kind);
    await assign(world, kind, from, [name]);
    const { change_id } = await assign(world, kind, to, [name]);
    await removeGuardrail(world, from);
    expect(await failure(undone(world, change_id))).toMatchObject({
      status: 409,
      metadata: { conflicts: [{ reason: "guardrail_removed", guardrail_id: to }] },
    });
  });

  it("is rejected when the assigned guardrail was deleted", async () => {
    const world = await testWorld();
    const id = await guardrailOf(world);
    const { change_id } = await assign(world, kind, id, [await subjectOf(world, kind)]);
    await removeGuardrail(world, id);
    expect(await failure(undone(world, change_id))).toMatchObject({
      status: 409,
      metadata: { conflicts: [{ reason: "changed", guardrail_id: null }] },
    });
  });

  it("answers 404 for an unknown change and for another organization's", async () => {
    const [world, other] = await Promise.all([testWorld(), testWorld()]);
    const { change_id } = await assign(other, kind, await guardrailOf(other), [await subjectOf(other, kind)]);
    for (const id of [UNKNOWN_ID, change_id])
      expect(await failure(undone(world, id))).toEqual({ status: 404, metadata: undefined });
  });

  it("succeeds for one of two parallel calls; the other gets a 409", async () => {
    const world = await testWorld();
    const { change_id } = await assign(world, kind, await guardrailOf(world), [await subjectOf(world, kind)]);
    const outcomes = await Promise.allSettled([undone(world, change_id), undone(world, change_id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await everything(world)).toEqual([]);
  });

  it("restores the state before the last of several parallel moves", async () => {
    const world = await testWorld();
    const ids = await Promise.all([1, 2, 3].map(() => guardrailOf(world)));
    const name = await subjectOf(world, kind);
    const changes = await Promise.all(ids.map((id) => assign(world, kind, id, [name])));
    const stored = await world.context.db.assignmentChange.findMany({
      where: { organizationId: world.organizationId },
      orderBy: { position: "desc" },
    });
    expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(changes.map(({ change_id }) => change_id)));
    for (const { id } of stored) expect(await undone(world, id)).toEqual({ restored_count: 1 });
    expect(await everything(world)).toEqual([]);
  });

  describe("any bulk change", () => {
    let world: World;
    let ids: string[];
    let names: string[];
    beforeAll(async () => {
      world = await testWorld();
      ids = await Promise.all([1, 2, 3].map(() => guardrailOf(world)));
      names = await Promise.all([1, 2, 3, 4, 5].map(() => subjectOf(world, kind)));
    });

    it("is undone exactly, whatever the previous state", async () => {
      const change = fc.record({
        guardrail: fc.nat(2),
        chosen: fc.uniqueArray(fc.nat(4), { minLength: 1 }),
        isRemoval: fc.boolean(),
      });
      const run = ({ guardrail, chosen, isRemoval }: { guardrail: number; chosen: number[]; isRemoval: boolean }) =>
        (isRemoval ? unassign : assign)(
          world,
          kind,
          ids[guardrail] ?? "",
          chosen.map((index) => names[index] ?? ""),
        );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 3 }), change, async (earlier, tried) => {
          for (const each of earlier) await run(each);
          const before = await everything(world);
          const { change_id } = await run(tried);
          if (change_id) await undone(world, change_id);
          expect(await everything(world)).toEqual(before);
        }),
        { numRuns: cases(15) },
      );
    });

    it("is undone exactly, or not at all when another admin has changed a target since", async () => {
      const change = fc.record({
        guardrail: fc.nat(2),
        chosen: fc.uniqueArray(fc.nat(4), { minLength: 1 }),
        isRemoval: fc.boolean(),
      });
      const other = await createMember(world, "admin");
      const rival: World = {
        ...world,
        context: { ...world.context, caller: { ...world.context.caller, userId: other } },
      };
      const run = (
        who: World,
        { guardrail, chosen, isRemoval }: { guardrail: number; chosen: number[]; isRemoval: boolean },
      ) =>
        (isRemoval ? unassign : assign)(
          who,
          kind,
          ids[guardrail] ?? "",
          chosen.map((index) => names[index] ?? ""),
        );
      type Rows = Awaited<ReturnType<typeof everything>>;
      const subjectOfRow = (row: Rows[number]) => ("keyId" in row ? row.keyId : row.userId);
      const differing = (a: Rows, b: Rows) =>
        new Set(
          [
            ...a.filter(({ id }) => !b.some((row) => row.id === id)),
            ...b.filter(({ id }) => !a.some((row) => row.id === id)),
          ].map(subjectOfRow),
        );
      await fc.assert(
        fc.asyncProperty(
          fc.array(change, { maxLength: 2 }),
          change,
          fc.array(change, { minLength: 1, maxLength: 3 }),
          async (earlier, tried, later) => {
            for (const each of earlier) await run(world, each);
            const before = await everything(world);
            const { change_id } = await run(world, tried);
            let now = await everything(world);
            const mine = differing(before, now);
            const theirs = new Set<string>();
            for (const each of later) {
              await run(rival, each);
              const next = await everything(world);
              for (const subject of differing(now, next)) theirs.add(subject);
              now = next;
            }
            if (!change_id) return;
            if ([...mine].some((subject) => theirs.has(subject))) {
              expect(await failure(undone(world, change_id))).toMatchObject({ status: 409 });
              expect(await everything(world)).toEqual(now);
            } else {
              await undone(world, change_id);
              const rest = now.filter((row) => !mine.has(subjectOfRow(row)));
              const restored = before.filter((row) => mine.has(subjectOfRow(row)));
              expect(await everything(world)).toEqual([...rest, ...restored].sort((a, b) => a.id.localeCompare(b.id)));
            }
          },
        ),
        { numRuns: cases(15) },
      );
    });
  });
});

it("is rejected when the key was deleted since, and follows a rotated key", async () => {
  const world = await testWorld();
  const id = await guardrailOf(world);
  const [gone, rotated] = [await createKey(world, { name: "Gone" }), await createKey(world)];
  const first = await assign(world, "keys", id, [gone.hash]);
  const second = await assign(world, "keys", id, [rotated.hash]);
  await keyService.remove(world.context, { params: { hash: gone.hash }, query: {}, body: undefined });
  await keyService.rotate(world.context, { params: { hash: rotated.hash }, query: {}, body: { grace_seconds: 0 } });
  expect(await failure(undone(world, first.change_id))).toMatchObject({
    status: 409,
    metadata: { conflicts: [{ name: "Gone", reason: "removed" }] },
  });
  expect(await undone(world, second.change_id)).toEqual({ restored_count: 1 });
});

it("is rejected when the workspace was deleted since", async () => {
  const world = await testWorld();
  const workspaceId = await createWorkspace(world);
  const id = await guardrailOf(world, "G", workspaceId);
  const key = await createKey(world, { workspaceId });
  const { change_id } = await assign(world, "keys", id, [key.hash]);
  await keyService.remove(world.context, { params: { hash: key.hash }, query: {}, body: undefined });
  await removeGuardrail(world, id);
  await workspaces.remove(world.context, { params: { id: workspaceId }, query: {}, body: undefined });
  expect(await failure(undone(world, change_id))).toMatchObject({ status: 409 });
});
