import { describe, expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { newUserId } from "../../platform/ids";
import { CheckPolicyBody } from "../../features/policy-check/contract";
import { check as checkPolicy } from "../../features/policy-check/service";
import * as guardrails from "../../features/guardrails/service";
import { record } from "../../gateway/record/record-store";
import { createSandbox } from "../../server/bootstrap";
import { createKey, keyCaller, memberCaller } from "../../testing/factories";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { keyRule } from "../../engine/budgets/budget";
import { reserve } from "../budgets/service";
import { CreateKeyBody, UpdateKeyBody, type KeySelfService } from "./contract";
import { create, list, remove, rotate, update } from "./service";
import * as organization from "../organization/service";

const none = { query: {}, params: {}, body: undefined };
const CAPS: KeySelfService = { max_keys: 2, max_limit: 10, limit_reset: "monthly", max_days: 30 };
const WITHIN = {
  name: "Mine",
  limit: 10,
  limit_reset: "monthly",
  include_byok_in_limit: true,
  expires_at: new Date(NOW.getTime() + 29 * 86_400_000).toISOString(),
};

/** Creates a world with a member's session and the caps. */
async function scene(caps: KeySelfService | null = CAPS) {
  const world = await testWorld();
  await organization.update(world.context, { ...none, body: { key_self_service: caps } });
  const userId = newUserId();
  await world.context.db.member.create({
    data: {
      id: userId,
      organizationId: world.organizationId,
      email: `${userId}@example.com`.toLowerCase(),
      role: "member",
    },
  });
  return { world, userId, member: { ...world.context, caller: memberCaller(world, userId) } };
}

const ask = (context: Context, body: Record<string, unknown> = {}) =>
  create(context, { ...none, body: CreateKeyBody.parse({ ...WITHIN, ...body }) });
const ownedBy = (world: World, creatorUserId: string, kind: "inference" | "management" = "inference") =>
  createKey(world, { creatorUserId, kind });

describe("a member with self-service", () => {
  it("creates a key within the caps, as themselves", async () => {
    const { world, member, userId } = await scene();
    const { data, key } = await ask(member);
    expect(data).toMatchObject({ kind: "inference", creator_user_id: userId, workspace_id: world.workspaceId });
    expect(key).toMatch(/^sb-key-v1-/);
    expect(await world.context.db.auditEvent.findMany({ where: { targetId: data.id } })).toMatchObject([
      { action: "key.create", actorType: "member", actorId: userId },
    ]);
  });

  it("learns every violation at once", async () => {
    const { member } = await scene();
    const refused = ask(member, { kind: "management", limit: 11, limit_reset: "daily", expires_at: null });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      metadata: {
        issues: [{ path: ["kind"] }, { path: ["limit"] }, { path: ["limit_reset"] }, { path: ["expires_at"] }],
      },
    });
  });

  it("never has more keys than the cap, also when they are created at the same time", async () => {
    const { member, userId, world } = await scene();
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => ask(member, { name: `Key ${n}` })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await world.context.db.key.count({ where: { creatorUserId: userId } })).toBe(2);
    const query = { offset: 0, limit: 50, include_disabled: "true" as const };
    const [own] = (await list(member, { ...none, query })).data;
    await remove(member, { ...none, params: { hash: own?.hash ?? "" } });
    await ask(member, { name: "Instead" });
  });

  it("doesn't renew the budget by deleting a key and creating another", async () => {
    const { world, member } = await scene();
    const { data } = await ask(member);
    const rule = keyRule(data.id, { limitMicroUsd: 10_000_000n, limitReset: "monthly", includeByokInLimit: true });
    const caller = { ...world.context, caller: keyCaller(world, data.id) };
    const outcome = outcomeOf({ costMicroUsd: 4_000_000n });
    const admission = await reserve(caller, outcome.id, rule ? [{ rule, microUsd: 100n }] : []);
    if ("exhausted" in admission) throw new Error("the limit isn't reached yet");
    const settlements = admission.held.map(({ budgetId }) => ({
      budgetId,
      generationId: outcome.id,
      costMicroUsd: 4_000_000n,
    }));
    await record(caller, { ...outcome, settlements });
    await remove(member, { ...none, params: { hash: data.hash } });
    await ask(member, { name: "Second" });
    await expect(ask(member, { name: "Third" })).rejects.toMatchObject({
      metadata: { issues: [{ path: ["limit"], message: expect.stringContaining("at most 6 USD") as string }] },
    });
    const nextMonth = { ...member, now: new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() + 1, 1)) };
    await ask(nextMonth, { name: "Third", expires_at: nextMonth.now.toISOString().replace("-01T", "-20T") });
  });

  it("is subject to the workspace's default guardrail with every key", async () => {
    const { world, member } = await scene();
    await createSandbox(world.context.db, world.organizationId, NOW);
    const content_filters = [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action: "block" as const }];
    const body = { name: "Default", content_filters };
    const { data: guardrail } = await guardrails.create(world.context, { ...none, body });
    const where = { id: world.workspaceId };
    await world.context.db.workspace.update({ where, data: { defaultGuardrailId: guardrail.id } });
    const { data: key } = await ask(member);
    const checked = CheckPolicyBody.parse({
      request: { model: "sandbox/echo", input: "Code XYZ-1" },
      key_hash: key.hash,
    });
    expect((await checkPolicy(world.context, { ...none, body: checked })).data).toMatchObject({ outcome: "blocked" });
  });

  it("renames, disables, rotates and deletes their own keys, and changes nothing else", async () => {
    const { member } = await scene();
    const { data } = await ask(member);
    const change = (body: Record<string, unknown>) =>
      update(member, { ...none, params: { hash: data.hash }, body: UpdateKeyBody.parse(body) });
    expect((await change({ name: "Renamed", disabled: true })).data).toMatchObject({ name: "Renamed", disabled: true });
    await expect(change({ disabled: false, limit: 1 })).rejects.toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["disabled"] }, { path: ["limit"] }] },
    });
    const rotated = await rotate(member, { ...none, params: { hash: data.hash }, body: { grace_seconds: 0 } });
    expect(rotated.data.disabled).toBe(true);
    expect(await remove(member, { ...none, params: { hash: rotated.data.hash } })).toEqual({ deleted: true });
  });

  it("doesn't reach keys of others, or management keys in their name", async () => {
    const { world, member, userId } = await scene();
    const [others, management] = [await ownedBy(world, world.adminId), await ownedBy(world, userId, "management")];
    for (const [hash, status] of [
      [others.hash, 404],
      [management.hash, 403],
    ] as const) {
      const params = { hash };
      await expect(rotate(member, { ...none, params, body: { grace_seconds: 0 } })).rejects.toMatchObject({ status });
      await expect(remove(member, { ...none, params })).rejects.toMatchObject({ status });
      await expect(update(member, { ...none, params, body: { name: "Taken" } })).rejects.toMatchObject({ status });
    }
  });
});

it("refuses members without self-service, and doesn't cap admins", async () => {
  const { world, member, userId } = await scene(null);
  const { hash } = await ownedBy(world, userId);
  const refusal = { status: 403, metadata: { permission: "keys:write" } };
  await expect(ask(member)).rejects.toMatchObject(refusal);
  await expect(update(member, { ...none, params: { hash }, body: { name: "New" } })).rejects.toMatchObject(refusal);
  await expect(rotate(member, { ...none, params: { hash }, body: { grace_seconds: 0 } })).rejects.toMatchObject(
    refusal,
  );
  await expect(remove(member, { ...none, params: { hash } })).rejects.toMatchObject(refusal);
  await organization.update(world.context, { ...none, body: { key_self_service: CAPS } });
  await ask(world.context, { limit: 5000, expires_at: null });
});
