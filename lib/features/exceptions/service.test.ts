import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { NO_GRANTS } from "../../platform/grants";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { assignKeys, assignMembers } from "../../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import * as guardrails from "../guardrails/service";
import { newGenerationId } from "../../platform/ids";
import { record } from "../../gateway/record/record-store";
import * as keys from "../../records/keys/service";
import { CheckPolicyBody } from "../policy-check/contract";
import { effective } from "../policy-check/effective-service";
import { check } from "../policy-check/service";
import { failure } from "../../testing/expect-failure";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { outcomeOf } from "../../testing/outcomes";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreateExceptionBody } from "../../records/exceptions/contract";
import * as exceptions from "./service";

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(NOW.getTime() + hours * HOUR).toISOString();
const BLOCK = { content_filter_builtins: [{ slug: "email" as const, action: "block" as const }] };

/** Creates a world with the sandbox's models, and a key with its own guardrail. */
async function governed(fields: Partial<CreateGuardrailBody> = BLOCK) {
  const world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  const key = await createKey(world);
  return { world, key, guardrailId: await guardKey(world, key, fields) };
}

const grant = async ({ context }: World, body: object) =>
  (
    await exceptions.create(context, {
      params: {},
      query: {},
      body: CreateExceptionBody.parse({ reason: "Migration", expires_at: inHours(1), ...body }),
    })
  ).data;
const list = (context: World["context"], query: object = {}) =>
  exceptions.list(context, { params: {}, body: undefined, query: { offset: 0, limit: 50, ...query } });
const at = (world: World, time: string): World => ({ ...world, context: { ...world.context, now: new Date(time) } });
const ask = async ({ context }: World, keyHash: string, input = "Write to ada@example.com", request: object = {}) =>
  (
    await check(context, {
      params: {},
      query: {},
      body: CheckPolicyBody.parse({ key_hash: keyHash, request: { model: "sandbox/echo", input, ...request } }),
    })
  ).data;

describe("an exception", () => {
  it("lifts one filter for one key until it expires, and appears in decisions", async () => {
    const { world, key, guardrailId } = await governed();
    const other = await createKey(world);
    await assignKeys(world.context, {
      params: { id: guardrailId },
      query: { dry_run: "false" },
      body: { key_hashes: [other.hash] },
    });
    const granted = await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
    });
    expect(granted).toMatchObject({
      status: "active",
      key_name: "Key",
      guardrail_name: "Guard",
      created_by: world.adminId,
      expires_at: inHours(1),
      ended_at: null,
    });

    const allowed = await ask(world, key.hash);
    expect(allowed).toMatchObject({ outcome: "allowed", message: null });
    expect(allowed.decisions).toEqual([
      expect.objectContaining({
        guardrail_id: guardrailId,
        rule: "email",
        action: "allow",
        spans: [{ path: ["input"], start: 9, end: 24 }],
        exception: { id: granted.id, reason: "Migration", expires_at: inHours(1), would: "block" },
      }),
    ]);
    expect((await ask(world, other.hash)).outcome).toBe("blocked");
    expect((await ask(at(world, inHours(1)), key.hash)).outcome).toBe("blocked");
  });

  it("allows an exact phrase, but no longer match", async () => {
    const { world, key } = await governed();
    await grant(world, { kind: "allow_phrase", key_hash: key.hash, phrase: "ada@example.com" });
    const allowed = await ask(world, key.hash);
    expect([allowed.outcome, allowed.decisions.map(({ action }) => action)]).toEqual(["allowed", ["allow"]]);
    expect((await ask(world, key.hash, "Write to grace.ada@example.com")).outcome).toBe("blocked");
    const both = await ask(world, key.hash, "ada@example.com or bob@example.com");
    expect(both).toMatchObject({
      outcome: "blocked",
      decisions: [
        { action: "block", spans: [{ start: 19, end: 34 }] },
        { action: "allow", spans: [{ start: 0, end: 15 }] },
      ],
    });
  });

  it("exempts only the phrase from redaction", async () => {
    const { world, key } = await governed({ content_filter_builtins: [{ slug: "email", action: "redact" }] });
    await grant(world, { kind: "allow_phrase", key_hash: key.hash, phrase: "ada@example.com" });
    expect(await ask(world, key.hash, "ada@example.com or bob@example.com")).toMatchObject({
      outcome: "redacted",
      request: { messages: [{ content: "ada@example.com or [EMAIL]" }] },
    });
  });

  it("of a member covers all of their keys, and nobody else's", async () => {
    const { world, guardrailId } = await governed();
    const userId = await createMember(world);
    const [theirs, ours] = [await createKey(world, { creatorUserId: userId }), await createKey(world)];
    await assignMembers(world.context, {
      params: { id: guardrailId },
      query: { dry_run: "false" },
      body: { member_user_ids: [userId, world.adminId] },
    });
    await grant(world, {
      kind: "lift_rule",
      user_id: userId,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
    });
    expect([(await ask(world, theirs.hash)).outcome, (await ask(world, ours.hash)).outcome]).toEqual([
      "allowed",
      "blocked",
    ]);
  });

  it("lifts a list, and names the endpoint", async () => {
    const { world, key, guardrailId } = await governed({ ignored_providers: ["sandbox"] });
    expect((await ask(world, key.hash)).outcome).toBe("no_endpoint");
    await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "ignored_providers",
    });
    expect(await ask(world, key.hash)).toMatchObject({
      outcome: "allowed",
      decisions: [
        {
          field: "ignored_providers",
          rule: "sandbox/echo by sandbox",
          action: "allow",
          exception: { would: "exclude" },
        },
      ],
      candidates: [{ included: true }],
    });
  });

  it("raises a guardrail's limit and a key's own by its amount", async () => {
    const { world, key, guardrailId } = await governed({ limit_usd: 1 });
    const { context } = world;
    await context.db.key.update({ where: { id: key.id }, data: { limitMicroUsd: 1_000_000n } });
    await spend(world, key.id, guardrailId, 1_000_000n);
    expect((await ask(world, key.hash)).outcome).toBe("budget_exhausted");
    await grant(world, { kind: "raise_limit", key_hash: key.hash, guardrail_id: guardrailId, raise_usd: 2 });
    expect((await ask(world, key.hash)).decisions.map(({ guardrail_id, action }) => [guardrail_id, action])).toEqual([
      [null, "block"],
    ]);
    await grant(world, { kind: "raise_limit", key_hash: key.hash, raise_usd: 0.5 });
    const passed = await ask(world, key.hash);
    expect([
      passed.outcome,
      passed.decisions.map(({ rule, action, exception }) => [rule, action, exception?.would]),
    ]).toEqual([
      "allowed",
      [
        ["lifetime limit of $1.00", "allow", "block"],
        ["lifetime limit of $1.00", "allow", "block"],
      ],
    ]);
    const { data } = await effective(context, { params: {}, body: undefined, query: { key_hash: key.hash } });
    expect(data.exceptions).toHaveLength(2);
    expect(
      data.fields.limit_usd.map(({ limit_usd, raised_usd, remaining_usd }) => [limit_usd, raised_usd, remaining_usd]),
    ).toEqual([
      [3, 2, 2],
      [1.5, 0.5, 0.5],
    ]);
    expect((await ask(at(world, inHours(2)), key.hash)).outcome).toBe("budget_exhausted");
  });

  it("can be ended early, with one audit event, and keeps its record", async () => {
    const { world, key, guardrailId } = await governed();
    const { id } = await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
    });
    const later = at(world, inHours(0.5));
    for (const _ of [1, 2])
      expect(await exceptions.end(later.context, { params: { id }, query: {}, body: undefined })).toEqual({
        deleted: true,
      });
    expect((await ask(later, key.hash)).outcome).toBe("blocked");
    expect((await exceptions.get(later.context, { params: { id }, query: {}, body: undefined })).data).toMatchObject({
      status: "ended",
      ended_at: inHours(0.5),
    });
    const events = await world.context.db.auditEvent.findMany({
      where: { organizationId: world.organizationId, targetType: "exception" },
      orderBy: { createdAt: "asc" },
    });
    expect(events.map(({ action, targetId }) => [action, targetId])).toEqual([
      ["exception.create", id],
      ["exception.end", id],
    ]);
  });

  it("ends with its guardrail or key", async () => {
    const { world, key, guardrailId } = await governed();
    await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
    });
    await grant(world, { kind: "allow_phrase", key_hash: key.hash, phrase: "x" });
    const kinds = async () => (await list(world.context)).data.map(({ kind }) => kind).sort();
    expect(await kinds()).toEqual(["allow_phrase", "lift_rule"]);
    await guardrails.remove(world.context, { params: { id: guardrailId }, query: {}, body: undefined });
    expect(await kinds()).toEqual(["allow_phrase"]);
    await keys.remove(world.context, { params: { hash: key.hash }, query: {}, body: undefined });
    expect(await kinds()).toEqual([]);
    expect(
      await world.context.db.exception.count({ where: { organizationId: world.organizationId, endedAt: null } }),
    ).toBe(0);
  });

  it("has no effect without its rule", async () => {
    const { world, key, guardrailId } = await governed({
      ...BLOCK,
      content_filters: [{ pattern: "ada", action: "block" }],
    });
    await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filters",
      rule: "ada",
    });
    await guardrails.update(world.context, {
      params: { id: guardrailId },
      query: {},
      body: { content_filters: [{ pattern: "ad[a]", action: "block" }] },
    });
    expect((await ask(world, key.hash)).decisions.map(({ action }) => action)).toEqual(["block", "block"]);
  });
});

/** Adds spend to a key's generations and its budget under a guardrail. */
async function spend({ context }: World, keyId: string, guardrailId: string, microUsd: bigint): Promise<void> {
  const { budgetOf, keyRule } = await import("../../engine/budgets/budget");
  const rules = [keyRule(keyId, { limitMicroUsd: 1n, limitReset: null, includeByokInLimit: false })].flatMap((own) =>
    own ? [own, { ...own, sourceId: guardrailId }] : [],
  );
  for (const { id, rule, windowStart } of rules.map((rule) => budgetOf(rule, NOW))) {
    await context.db.budget.create({
      data: {
        id,
        sourceId: rule.sourceId,
        subject: "key",
        subjectId: keyId,
        window: "lifetime",
        windowStart,
        spentMicroUsd: microUsd,
        updatedAt: NOW,
      },
    });
  }
}

describe("POST /exceptions", () => {
  it.each([
    ["nobody", { key_hash: undefined }, "key_hash"],
    ["two subjects", { user_id: "user_x" }, "user_id"],
    ["an expiry in the past", { expires_at: inHours(-1) }, "expires_at"],
    ["91 days", { expires_at: inHours(91 * 24) }, "expires_at"],
    ["a filter field without a rule", { rule: undefined }, "rule"],
    ["a rule for a list field", { field: "allowed_models" }, "rule"],
    ["a filter missing in the guardrail", { rule: "phone" }, "rule"],
  ])("rejects %s", async (_what, given, path) => {
    const { world, key, guardrailId } = await governed();
    const body = {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
      ...given,
    };
    expect(await failure(grant(world, body))).toMatchObject({ status: 400, metadata: { issues: [{ path: [path] }] } });
    expect((await list(world.context)).total_count).toBe(0);
  });

  it("rejects guardrails of other workspaces, missing limits, management keys and unknown subjects", async () => {
    const { world, key, guardrailId } = await governed();
    const elsewhere = await createKey(world, { workspaceId: await createWorkspace(world) });
    const rule = { kind: "lift_rule", guardrail_id: guardrailId, field: "content_filter_builtins", rule: "email" };
    expect(await failure(grant(world, { ...rule, key_hash: elsewhere.hash }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["guardrail_id"] }] },
    });
    expect(await failure(grant(world, { kind: "raise_limit", key_hash: key.hash, raise_usd: 1 }))).toMatchObject({
      status: 400,
    });
    expect(
      await failure(grant(world, { kind: "raise_limit", key_hash: key.hash, guardrail_id: guardrailId, raise_usd: 1 })),
    ).toMatchObject({ status: 400 });
    expect(
      await failure(grant(world, { ...rule, key_hash: (await createKey(world, { kind: "management" })).hash })),
    ).toMatchObject({ status: 400 });
    expect(await failure(grant(await testWorld(), { ...rule, key_hash: key.hash }))).toMatchObject({ status: 404 });
  });

  it("enforces the maximum number of active exceptions", async () => {
    const { world, key } = await governed();
    for (let count = 0; count < 50; count += 1)
      await grant(world, { kind: "allow_phrase", key_hash: key.hash, phrase: `p${count}` });
    expect(await failure(grant(world, { kind: "allow_phrase", key_hash: key.hash, phrase: "one more" }))).toMatchObject(
      { status: 409 },
    );
    await grant(at(world, inHours(1)), {
      kind: "allow_phrase",
      key_hash: key.hash,
      phrase: "later",
      expires_at: inHours(2),
    });
  });
});

describe("GET /exceptions", () => {
  it("filters by subject, target and status; members see only their own", async () => {
    const { world, key, guardrailId } = await governed();
    const userId = await createMember(world);
    await grant(world, {
      kind: "lift_rule",
      key_hash: key.hash,
      guardrail_id: guardrailId,
      field: "content_filter_builtins",
      rule: "email",
    });
    await grant(world, { kind: "allow_phrase", user_id: userId, phrase: "hers", expires_at: inHours(3) });
    await grant(world, {
      kind: "allow_phrase",
      key_hash: (await createKey(world, { creatorUserId: userId })).hash,
      phrase: "her key's",
      expires_at: inHours(3),
    });
    const phrases = async (context: World["context"], query: object = {}) =>
      (await list(context, query)).data.map(({ phrase, rule }) => phrase ?? rule).sort();
    expect(await phrases(world.context, { key_hash: key.hash })).toEqual(["email"]);
    expect(await phrases(world.context, { user_id: userId })).toEqual(["hers"]);
    expect(await phrases(world.context, { guardrail_id: guardrailId })).toEqual(["email"]);
    const later = at(world, inHours(2)).context;
    expect(await phrases(later, { active: "true" })).toEqual(["her key's", "hers"]);
    expect(await phrases(later, { active: "false" })).toEqual(["email"]);
    expect(await phrases({ ...world.context, caller: memberCaller(world, userId) })).toEqual(["her key's", "hers"]);
    expect(await phrases((await testWorld()).context)).toEqual([]);
  });
});

it("stays in the decision after it ends", async () => {
  const { world, key } = await governed();
  const id = newGenerationId(NOW);
  const exception = {
    id: "0198c9d2-6f0a-7c3e-9a51-0f4f7d3c2b1a",
    reason: "Migration",
    expires_at: inHours(1),
    would: "block" as const,
  };
  const caller = {
    kind: "key",
    keyKind: "inference",
    keyId: key.id,
    keyName: "Key",
    organizationId: world.organizationId,
    workspaceId: world.workspaceId,
    userId: world.adminId,
    limit: NO_KEY_LIMIT,
    grants: NO_GRANTS,
  } as const;
  const decision = {
    scope: "key" as const,
    guardrail_id: null,
    guardrail_name: null,
    revision: null,
    field: "limit_usd",
    rule: "limit",
    action: "allow",
    spans: [],
    exception,
  };
  await record({ ...world.context, caller }, outcomeOf({ id, decisions: [decision] }));
  expect(await world.context.db.decision.findFirst({ where: { generationId: id } })).toMatchObject({
    action: "allow",
    exception,
  });
});
