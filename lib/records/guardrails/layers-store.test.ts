import { describe, expect, it } from "vitest";
import { assignKeys, assignMembers } from "./assignment-changes-service";
import type { CreateGuardrailBody } from "./contract";
import * as guardrails from "../../features/guardrails/service";
import { createKey, createMember, createWorkspace } from "../../testing/factories";
import { testWorld, type World } from "../../testing/test-context";
import { loadLayers } from "./layers-store";

const create = async ({ context }: World, body: Partial<CreateGuardrailBody> = {}) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "G", ...body } })).data;
const makeDefault = ({ context, workspaceId }: World, defaultGuardrailId: string | null) =>
  context.db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId } });
const assignKey = ({ context }: World, id: string, hash: string) =>
  assignKeys(context, { params: { id }, query: { dry_run: "false" }, body: { key_hashes: [hash] } });
const assignMember = ({ context }: World, id: string, userId: string) =>
  assignMembers(context, { params: { id }, query: { dry_run: "false" }, body: { member_user_ids: [userId] } });

const load = ({ context, workspaceId }: World, who: { userId?: string; keyId?: string; workspaceId?: string } = {}) =>
  loadLayers(context.db, { workspaceId, userId: null, keyId: null, ...who }, context.settings.zdrVendors, context.now);
const inWords = (layers: Awaited<ReturnType<typeof load>>) =>
  layers.map(({ scope, guardrail }) => `${scope} ${guardrail.name}`);

describe("loadLayers", () => {
  it("returns the guardrails of workspace, member and key, broadest first", async () => {
    const world = await testWorld();
    const { id: keyId, hash } = await createKey(world);
    const [byKey, byMember, wide] = [
      await create(world, { name: "K" }),
      await create(world, { name: "M" }),
      await create(world, { name: "W" }),
    ];
    await assignKey(world, byKey.id, hash);
    await assignMember(world, byMember.id, world.adminId);
    await makeDefault(world, wide.id);
    expect(inWords(await load(world, { userId: world.adminId, keyId }))).toEqual(["workspace W", "member M", "key K"]);
    expect(inWords(await load(world, { userId: world.adminId }))).toEqual(["workspace W", "member M"]);
    expect(inWords(await load(world))).toEqual(["workspace W"]);
    expect(
      inWords(await load(world, { userId: await createMember(world), keyId: (await createKey(world)).id })),
    ).toEqual(["workspace W"]);
  });

  it("returns fields in the same form as the guardrail operations", async () => {
    const world = await testWorld();
    const guardrail = await create(world, {
      description: "d",
      allowed_models: ["a/b"],
      ignored_models: [],
      ignored_providers: ["x"],
      limit_usd: 1.000001,
      reset_interval: "weekly",
      include_byok_in_budgets: true,
      enforce_zdr: true,
      enforce_zdr_vendor_b: false,
      content_filter_builtins: [{ slug: "email", action: "redact" }],
      content_filters: [{ pattern: "x", action: "flag" }],
    });
    await makeDefault(world, guardrail.id);
    expect(await load(world)).toEqual([{ scope: "workspace", guardrail }]);
    const regions = ["FR", "DE"];
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { regions } });
    expect(await load(world)).toEqual([{ scope: "workspace", guardrail, regions }]);
  });

  it("applies a member's guardrail only in its workspace", async () => {
    const world = await testWorld();
    await assignMember(world, (await create(world)).id, world.adminId);
    expect(await load(world, { userId: world.adminId, workspaceId: await createWorkspace(world) })).toEqual([]);
  });

  it("ignores deleted guardrails, even when still referenced", async () => {
    const world = await testWorld();
    const { id } = await create(world);
    await makeDefault(world, id);
    await world.context.db.guardrail.update({ where: { id }, data: { deletedAt: world.context.now } });
    expect(await load(world)).toEqual([]);
  });
});
