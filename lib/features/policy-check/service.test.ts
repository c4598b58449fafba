import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { budgetOf, budgetRules } from "../../engine/budgets/budget";
import type { CreateGuardrailBody } from "../../records/guardrails/contract";
import * as guardrails from "../guardrails/service";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import * as presets from "../../records/presets/service";
import { grantsOf } from "../../records/roles/grants";
import { failure } from "../../testing/expect-failure";
import { createKey, createWorkspace, memberCaller } from "../../testing/factories";
import { guardKey } from "../../testing/guardrails";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CheckPolicyBody, PolicyCheck } from "./contract";
import { loadLayers } from "../../records/guardrails/layers-store";
import { check } from "./service";

const create = async ({ context }: World, body: Partial<CreateGuardrailBody>) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "Guard", ...body } })).data.id;

/** Creates a world with the sandbox's models, and a key with its own guardrail. */
async function governed(body: Partial<CreateGuardrailBody> = {}) {
  const world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  const key = await createKey(world);
  return { world, key, guardrailId: await guardKey(world, key, body) };
}

const ask = async ({ context }: World, body: object) =>
  PolicyCheck.parse((await check(context, { params: {}, query: {}, body: CheckPolicyBody.parse(body) })).data);
const hello = { model: "sandbox/echo", input: "Hello" };
const secret = { model: "sandbox/echo", input: "The code is XYZ-1 and XYZ-22." };
const filter = (action: "block" | "redact" | "flag") => ({
  content_filters: [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action }],
});

describe("the answer of POST /policy/check", () => {
  const answer = "The code is XYZ-1.";
  const guarded = async (action: "block" | "redact" | "flag", scope: "request" | "response" | "both") =>
    governed({ content_filters: [{ pattern: "XYZ-[0-9]+", label: "[CODE]", action, scope }] });

  it.each([
    ["redact", { outcome: "redacted", message: null, answer: "The code is [CODE]." }],
    ["flag", { outcome: "flagged", message: null, answer }],
    ["block", { outcome: "blocked", message: "Response blocked by content filter: [CODE]", answer: null }],
  ] as const)("is evaluated by the filters that apply to answers: %s", async (action, expected) => {
    const { world, key } = await guarded(action, "response");
    expect(await ask(world, { request: secret, answer, key_hash: key.hash })).toMatchObject({
      ...expected,
      decisions: [{ rule: "[CODE]", action, direction: "response" }],
      request: { model: "sandbox/echo" },
    });
  });

  it("isn't evaluated when no filter applies to it, or when the request is refused", async () => {
    const { world, key } = await guarded("block", "request");
    expect(await ask(world, { request: hello, answer, key_hash: key.hash })).toMatchObject({
      outcome: "allowed",
      decisions: [],
      answer,
    });
    const refused = await ask(world, { request: secret, answer, key_hash: key.hash });
    expect(refused).toMatchObject({ outcome: "blocked", answer: null });
    expect(refused.decisions).toHaveLength(1);
    expect(await ask(world, { request: hello, key_hash: key.hash })).not.toHaveProperty("answer");
  });
});

describe("POST /policy/check", () => {
  it("finds national phone numbers of the workspace's regions, by drafts too", async () => {
    const phone = { content_filter_builtins: [{ slug: "phone" as const, action: "redact" as const }] };
    const { world, key } = await governed(phone);
    const request = { model: "sandbox/echo", input: "Try 512 345 678 before noon." };
    const draft = { request, guardrails: [phone], drafts_only: true };
    expect(await ask(world, { request, key_hash: key.hash })).toMatchObject({ outcome: "allowed" });
    await world.context.db.workspace.update({ where: { id: world.workspaceId }, data: { regions: ["DE", "PL"] } });
    const found = { outcome: "redacted", request: { messages: [{ content: "Try [PHONE] before noon." }] } };
    expect(await ask(world, { request, key_hash: key.hash })).toMatchObject(found);
    expect(await ask(world, draft)).toMatchObject(found);
  });

  it("returns the candidates and the request that would be sent", async () => {
    const { world, key } = await governed();
    expect(
      await ask(world, { request: { ...hello, temperature: 0.5, provider: { sort: "price" } }, key_hash: key.hash }),
    ).toEqual({
      outcome: "allowed",
      message: null,
      decisions: [],
      candidates: [{ model: "sandbox/echo", provider: "sandbox", included: true, excluded_by: [] }],
      request: expect.objectContaining({
        model: "sandbox/echo",
        temperature: 0.5,
        messages: [{ role: "user", content: "Hello" }],
      }),
    });
  });

  it.each([
    ["redact", "redacted", null],
    ["flag", "flagged", null],
    ["block", "blocked", "Request blocked by content filter: [CODE]"],
  ] as const)("returns the action of a filter with %s, and the matched spans", async (action, outcome, message) => {
    const { world, key, guardrailId } = await governed(filter(action));
    const result = await ask(world, { request: secret, key_hash: key.hash });
    const input = action === "redact" ? "The code is [CODE] and [CODE]." : secret.input;
    expect(result).toMatchObject({
      outcome,
      message,
      decisions: [
        {
          scope: "key",
          guardrail_id: guardrailId,
          guardrail_name: "Guard",
          revision: 1,
          field: "content_filters",
          rule: "[CODE]",
          action,
          spans: [
            { path: ["input"], start: 12, end: 17 },
            { path: ["input"], start: 22, end: 28 },
          ],
        },
      ],
      request: action === "block" ? null : { messages: [{ role: "user", content: input }] },
    });
  });

  it("explains exclusions, also when no endpoint is left", async () => {
    const { world, key, guardrailId } = await governed({ ignored_providers: ["sandbox"] });
    await createModel(world, { slug: "acme/one", providerId: await createProvider(world) });
    const candidates = [
      { model: "acme/one", provider: "acme", included: true, excluded_by: [] },
      {
        model: "sandbox/echo",
        provider: "sandbox",
        included: false,
        excluded_by: [{ scope: "key", guardrail_id: guardrailId, field: "ignored_providers" }],
      },
    ];
    const both = await ask(world, { request: { ...hello, models: ["acme/one"] }, key_hash: key.hash });
    expect(both).toMatchObject({ outcome: "allowed", candidates, request: { model: "acme/one" } });
    const none = await ask(world, { request: { ...hello, provider: { zdr: true } }, key_hash: key.hash });
    expect(none).toMatchObject({ outcome: "no_endpoint", candidates: [candidates[1]], request: null });
    expect(none.message).toContain("ignored_providers");
  });

  it("reports an exhausted budget without reserving", async () => {
    const { world, key, guardrailId } = await governed({ limit_usd: 1, reset_interval: "daily" });
    const { context, workspaceId, adminId } = world;
    const spender = { workspaceId, userId: adminId, keyId: key.id };
    const [rule] = budgetRules(await loadLayers(context.db, spender, context.settings.zdrVendors, context.now), {
      ...spender,
      key: NO_KEY_LIMIT,
    });
    if (!rule) throw new Error("no budget");
    expect(await ask(world, { request: hello, key_hash: key.hash })).toMatchObject({ outcome: "allowed" });
    expect(await context.db.budgetLease.count({ where: { budget: { subjectId: key.id } } })).toBe(0);

    const { id, windowStart } = budgetOf(rule, NOW);
    const { sourceId, subject, subjectId } = rule;
    await context.db.budget.create({
      data: {
        id,
        sourceId,
        subject,
        subjectId,
        window: "daily",
        windowStart,
        spentMicroUsd: 1_000_000n,
        updatedAt: NOW,
      },
    });
    const exhausted = await ask(world, { request: hello, key_hash: key.hash });
    expect(exhausted).toMatchObject({
      outcome: "budget_exhausted",
      decisions: [{ scope: "key", guardrail_id: guardrailId, field: "limit_usd", action: "block" }],
      candidates: [{ included: false, excluded_by: [{ scope: "key", guardrail_id: guardrailId, field: "limit_usd" }] }],
      request: null,
    });
    expect(exhausted.message).toContain("2026-11-21T00:00:00.000Z");
    expect(await context.db.generation.count({ where: { organizationId: world.organizationId } })).toBe(0);
  });

  it("evaluates drafts and stored guardrails in addition to those in force", async () => {
    const { world, key } = await governed(filter("flag"));
    const stored = await create(world, { name: "Stored", ...filter("redact") });
    const scopes = async (...drafts: object[]) => {
      const { outcome, decisions } = await ask(world, { request: secret, key_hash: key.hash, guardrails: drafts });
      return [
        outcome,
        ...decisions.map(
          ({ scope, guardrail_id, guardrail_name }) => `${scope} ${guardrail_id ?? "unsaved"} ${guardrail_name}`,
        ),
      ];
    };
    expect(await scopes({ id: stored })).toEqual(["redacted", `draft ${stored} Stored`]);
    expect(await scopes({ id: stored }, { name: "Mine", ...filter("block") })).toEqual([
      "blocked",
      "draft unsaved Mine",
    ]);
    expect(await scopes({ enforce_zdr: true })).toMatchObject(["flagged", expect.stringMatching(/^key .* Guard$/)]);
    const zdr = await ask(world, { request: hello, guardrails: [{ enforce_zdr: true, allowed_providers: ["acme"] }] });
    expect(zdr.candidates).toEqual([
      {
        model: "sandbox/echo",
        provider: "sandbox",
        included: false,
        excluded_by: [{ scope: "draft", guardrail_id: null, field: "allowed_providers" }],
      },
    ]);
  });

  it("evaluates only drafts when requested", async () => {
    const { world, key } = await governed(filter("block"));
    const request = { request: secret, key_hash: key.hash, guardrails: [{ name: "Mine", ...filter("redact") }] };
    expect(await ask(world, request)).toMatchObject({ outcome: "blocked" });
    expect(await ask(world, { ...request, drafts_only: true })).toMatchObject({
      outcome: "redacted",
      decisions: [{ scope: "draft", guardrail_name: "Mine" }],
    });
    expect(await ask(world, { ...request, guardrails: [], drafts_only: true })).toMatchObject({
      outcome: "allowed",
      decisions: [],
    });
  });

  it("applies presets of the key's workspace", async () => {
    const { world } = await governed();
    const { context } = world;
    const workspaceId = await createWorkspace(world);
    const key = await createKey(world, { workspaceId });
    const body = ResponsesBody.parse({ model: "sandbox/echo", instructions: "Be brief." });
    await presets.createFromResponses(context, { params: { slug: "s" }, query: { workspace_id: workspaceId }, body });
    const request = { model: "@preset/s", input: "Hello" };
    const messages = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ];
    expect(await ask(world, { request, key_hash: key.hash })).toMatchObject({
      outcome: "allowed",
      request: { messages },
    });
    expect(await ask(world, { request, workspace_id: workspaceId })).toMatchObject({
      outcome: "allowed",
      request: { messages },
    });
    expect(await failure(ask(world, { request }))).toMatchObject({ status: 404, metadata: { preset: "s" } });
  });

  it.each([
    ["chat_completions", {}],
    ["messages", { system: "Be brief." }],
  ])("checks a request of %s", async (protocol, more) => {
    const { world, key } = await governed(filter("redact"));
    const given = { model: "sandbox/echo", messages: [{ role: "user", content: "XYZ-1" }], max_tokens: 5, ...more };
    const system = "system" in more ? [{ role: "system", content: more.system }] : [];
    expect(await ask(world, { request: given, protocol, key_hash: key.hash })).toMatchObject({
      outcome: "redacted",
      decisions: [{ spans: [{ path: ["messages", 0, "content"], start: 0, end: 5 }] }],
      request: { messages: [...system, { role: "user", content: "[CODE]" }], max_tokens: 5 },
    });
  });

  it("reports errors found during the decision with paths below `request`", async () => {
    const { world } = await governed();
    const faults = async (request: object) => (await failure(ask(world, { request }))).metadata;
    expect(await faults({ input: "hi" })).toMatchObject({ issues: [{ path: ["request", "model"] }] });
    expect(await faults({ ...hello, preset: "!" })).toMatchObject({ issues: [{ path: ["request", "preset"] }] });
  });

  it("answers 404 for unknown ids and those of other organizations", async () => {
    const { world } = await governed();
    const other = await governed();
    const foreign = [
      { key_hash: other.key.hash },
      { key_hash: "0".repeat(64) },
      { user_id: other.world.adminId },
      { workspace_id: other.world.workspaceId },
      { guardrails: [{ id: other.guardrailId }] },
      { guardrails: [{ id: "0df9e665-d932-5740-b2c7-b52af166bc11" }] },
    ];
    for (const named of foreign)
      expect(await failure(ask(world, { request: hello, ...named }))).toMatchObject({ status: 404 });
  });
});

describe("a draft with an external check", () => {
  const url = "http://127.0.0.1:1/check";
  const draft = { external_checks: [{ name: "Check", url }] };

  it("requires guardrails:write for an address that isn't stored, because it is called", async () => {
    const { world, guardrailId } = await governed();
    const grants = grantsOf([{ role: null, permissions: ["guardrails:read"], workspace: null }]);
    const reader = { ...world, context: { ...world.context, caller: memberCaller(world, world.adminId, { grants }) } };
    const refused = { status: 403, metadata: { permission: "guardrails:write" } };
    expect(await failure(ask(reader, { request: hello, guardrails: [draft] }))).toMatchObject(refused);
    const change = { id: guardrailId, ...draft };
    expect(await failure(ask(reader, { request: hello, guardrails: [change] }))).toMatchObject(refused);
    const given = { request: hello, guardrails: [change], check_verdicts: {} };
    expect(await ask(reader, given)).toMatchObject({ outcome: "allowed" });
    await guardrails.update(world.context, { params: { id: guardrailId }, query: {}, body: draft });
    expect(await ask(reader, { request: hello, guardrails: [change] })).toMatchObject({
      decisions: [{ rule: "Check" }],
    });
  });
});
