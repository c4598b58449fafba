import { beforeAll, describe, expect, it } from "vitest";
import type { Prisma } from "../../../prisma/generated/client";
import { newGenerationId, uuidv7 } from "../ids";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { NOW, testDatabase, testWorld, type World } from "../../testing/test-context";

/** Constraints that hold even if a service fails to check them, tested by direct inserts. */
let world: World;
beforeAll(async () => {
  world = await testWorld();
});

async function guardrail(fields: Partial<Prisma.GuardrailUncheckedCreateInput> = {}): Promise<string> {
  const id = uuidv7(NOW);
  await world.context.db.guardrail.create({ data: { id, workspaceId: world.workspaceId, name: "G", ...fields } });
  return id;
}

async function preset(fields: Partial<Prisma.PresetUncheckedCreateInput> = {}): Promise<string> {
  const id = uuidv7(NOW);
  await world.context.db.preset.create({
    data: { id, workspaceId: world.workspaceId, slug: id, name: "P", updatedAt: NOW, ...fields },
  });
  return id;
}

async function label(name: string, version = 1): Promise<void> {
  const presetId = await preset();
  await world.context.db.presetVersion.create({
    data: { id: uuidv7(NOW), presetId, version: 1, config: {}, systemPrompt: "", creatorId: world.adminId },
  });
  await world.context.db.presetLabel.create({ data: { presetId, name, version } });
}

describe("uniqueness", () => {
  it("a key has one guardrail", async () => {
    const { context, organizationId } = world;
    const { id: keyId } = await createKey(world);
    const assign = async (guardrailId: string) =>
      context.db.guardrailKeyAssignment.create({ data: { id: uuidv7(NOW), organizationId, guardrailId, keyId } });
    await assign(await guardrail());
    await expect(assign(await guardrail())).rejects.toMatchObject({ code: "P2002" });
  });

  it("a member has one guardrail per workspace", async () => {
    const { context, organizationId, workspaceId } = world;
    const userId = await createMember(world);
    const assign = async (guardrailId: string, where: string) =>
      context.db.guardrailMemberAssignment.create({
        data: { id: uuidv7(NOW), organizationId, guardrailId, workspaceId: where, userId },
      });
    await assign(await guardrail(), workspaceId);
    await expect(assign(await guardrail(), workspaceId)).rejects.toMatchObject({ code: "P2002" });
    const other = await createWorkspace(world);
    await assign(await guardrail({ workspaceId: other }), other);
  });

  it("a preset has each version once, and a workspace each slug once", async () => {
    const { db } = world.context;
    const presetId = await preset({ slug: "taken" });
    const version = () =>
      db.presetVersion.create({
        data: { id: uuidv7(NOW), presetId, version: 1, config: {}, systemPrompt: "", creatorId: world.adminId },
      });
    await version();
    await expect(version()).rejects.toMatchObject({ code: "P2002" });
    await expect(preset({ slug: "taken" })).rejects.toMatchObject({ code: "P2002" });
  });

  it("an address belongs to one existing member", async () => {
    const { context, organizationId } = world;
    const join = (id: string, email: string) => context.db.member.create({ data: { id, organizationId, email } });
    await join("user_1", "ada@example.com");
    await expect(join("user_2", "ada@example.com")).rejects.toMatchObject({ code: "P2002" });
    await context.db.member.update({ where: { id: "user_1" }, data: { deletedAt: NOW } });
    await join("user_2", "ada@example.com");
  });

  it("an organization has one default workspace", async () => {
    const { context, organizationId } = world;
    const data = {
      id: uuidv7(NOW),
      organizationId,
      name: "Second",
      slug: "second",
      isDefault: true,
      contentLogging: true,
    };
    await expect(context.db.workspace.create({ data })).rejects.toMatchObject({ code: "P2002" });
  });
});

describe("checks", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["a guardrail without a name", () => guardrail({ name: "" })],
    ["a guardrail's name of 201 characters", () => guardrail({ name: "x".repeat(201) })],
    ["a guardrail's description of 1001 characters", () => guardrail({ description: "x".repeat(1001) })],
    ["a negative limit", () => guardrail({ limitMicroUsd: -1n })],
    ["a limit over a billion USD", () => guardrail({ limitMicroUsd: 1_000_000_000_000_001n })],
    ["revision 0", () => guardrail({ revision: 0 })],
    [
      "an address in capitals",
      () =>
        world.context.db.member.create({
          data: { id: "user_3", organizationId: world.organizationId, email: "Ada@example.com" },
        }),
    ],
    ["a slug with capitals", () => preset({ slug: "Support" })],
    ["a slug of 129 characters", () => preset({ slug: "x".repeat(129) })],
    ["a designated version that does not exist yet", () => preset({ designatedVersion: 2 })],
    ["a label that reads like a version", () => label("3")],
    ["a label of 33 characters", () => label("x".repeat(33))],
    ["a label on a version that does not exist", () => label("prod", 2)],
    ["a generation whose id has another second", () => createGeneration(world, { id: newGenerationId(new Date(0)) })],
    ["a negative cost", () => createGeneration(world, { costMicroUsd: -1n })],
    ["a guardrail without a workspace", () => guardrail({ workspaceId: uuidv7(NOW) })],
  ])("rejects %s", async (_what, write) => {
    await expect(write()).rejects.toThrow(/constraint/i);
  });

  it("rejects an invalid key hash", async () => {
    const { id: keyId } = await createKey(world);
    await expect(world.context.db.keySecret.create({ data: { hash: "x", keyId } })).rejects.toThrow(/constraint/i);
  });
});

it("no table's expressions call a function in SQL: PostgreSQL would parse and plan it in each statement", async () => {
  const { query } = await testDatabase();
  const { rows } = await query(`
    WITH expressions AS (
      SELECT conrelid AS relation, conname AS name, conbin::text AS tree FROM pg_constraint
      UNION ALL SELECT adrelid, 'default', adbin::text FROM pg_attrdef
      UNION ALL SELECT indrelid, indexrelid::regclass::text, concat(indexprs, indpred) FROM pg_index
    )
    SELECT relation::regclass, name, proname FROM expressions, regexp_matches(tree, ':(?:op)?funcid (\\d+)', 'g') AS called
    JOIN pg_proc ON pg_proc.oid = called[1]::oid JOIN pg_language ON pg_language.oid = prolang WHERE lanname = 'sql'`);
  expect(rows).toEqual([]);
});
