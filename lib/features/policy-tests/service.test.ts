import { beforeEach, describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import type { UpdateGuardrailBody } from "../../records/guardrails/contract";
import * as guardrails from "../guardrails/service";
import { restore } from "../guardrails/versions-service";
import { failure } from "../../testing/expect-failure";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { CreatePolicyTestBody } from "./contract";
import * as tests from "./service";

const EMAIL = { content_filter_builtins: [{ slug: "email" as const, action: "redact" as const }] };
const REDACTS = {
  name: "Redacts",
  request: { model: "sandbox/echo", input: "Write to ada@example.com" },
  expected: { outcome: "redacted", field: "content_filter_builtins", rule: "email" },
};
const PASSES = {
  name: "Passes",
  protocol: "chat_completions",
  request: { model: "sandbox/echo", messages: [{ role: "user", content: "Hello" }] },
  expected: { outcome: "allowed" },
};

let world: World;
let id: string;

beforeEach(async () => {
  world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  id = (await guardrails.create(world.context, { params: {}, query: {}, body: { name: "Guard", ...EMAIL } })).data.id;
});

const create = async (body: object = REDACTS) =>
  (await tests.create(world.context, { params: { id }, query: {}, body: CreatePolicyTestBody.parse(body) })).data;
const list = (query: object = {}) =>
  tests.list(world.context, { params: { id }, body: undefined, query: { offset: 0, limit: 50, ...query } });
const run = async (changes?: UpdateGuardrailBody) =>
  (await tests.run(world.context, { params: { id }, query: {}, body: { changes } })).data;
const require = (tests_required = true) =>
  tests.updateSettings(world.context, { params: { id }, query: {}, body: { tests_required } });
const save = (body: UpdateGuardrailBody) => guardrails.update(world.context, { params: { id }, query: {}, body });
const inWords = ({ results }: Awaited<ReturnType<typeof run>>) =>
  results.map(({ name, passed, actual, why }) => [name, passed, actual, why]);

describe("policy tests", () => {
  it("call no external check: it allows, or has the test's verdict", async () => {
    const checks = [{ name: "tone", url: "https://never-called.invalid/", secret: null }];
    await save({ external_checks: checks, content_filter_builtins: null });
    await create({ ...PASSES, name: "Allowed" });
    for (const verdict of ["block", "redact", "unavailable"])
      await create({ ...PASSES, name: verdict, check_verdicts: { tone: verdict }, expected: { outcome: "blocked" } });
    expect(inWords(await run())).toEqual([
      ["Allowed", true, "allowed", null],
      ["block", true, "blocked", null],
      ["redact", false, "redacted", "expected blocked, was redacted"],
      ["unavailable", true, "blocked", null],
    ]);
  });

  it("evaluate an answer by the filters that apply to answers", async () => {
    await save({ content_filter_builtins: [{ slug: "email", action: "block", scope: "response" }] });
    const answer = "Write to ada@example.com";
    await create({ ...PASSES, name: "No answer" });
    const { id: test_id } = await create({
      ...PASSES,
      name: "Blocked",
      answer,
      expected: { outcome: "blocked", field: "content_filter_builtins", rule: "email" },
    });
    expect(inWords(await run())).toEqual([
      ["No answer", true, "allowed", null],
      ["Blocked", true, "blocked", null],
    ]);
    expect((await list()).data.map((test) => test.answer)).toEqual([null, answer]);
    await tests.update(world.context, { params: { id, test_id }, query: {}, body: { answer: null } });
    expect((await run()).failed).toBe(1);
  });

  it("are listed oldest first with the required setting, updated and deleted", async () => {
    const first = await create();
    await tests.create(
      { ...world.context, now: new Date(NOW.getTime() + 1) },
      { params: { id }, query: {}, body: CreatePolicyTestBody.parse(PASSES) },
    );
    expect(first).toMatchObject({ ...REDACTS, protocol: "responses", created_by: world.adminId, updated_at: null });
    expect(await list()).toMatchObject({
      data: [
        { name: "Redacts" },
        { name: "Passes", protocol: "chat_completions", expected: { outcome: "allowed", field: null, rule: null } },
      ],
      total_count: 2,
      tests_required: false,
    });
    const params = { id, test_id: first.id };
    const changed = await tests.update(world.context, {
      params,
      query: {},
      body: { expected: { outcome: "blocked" } },
    });
    expect(changed.data).toMatchObject({
      name: "Redacts",
      request: REDACTS.request,
      expected: { outcome: "blocked", field: null, rule: null },
      updated_at: NOW.toISOString(),
    });
    expect(await tests.remove(world.context, { params, query: {}, body: undefined })).toEqual({ deleted: true });
    expect((await list()).data.map(({ name }) => name)).toEqual(["Passes"]);
    expect(await failure(tests.remove(world.context, { params, query: {}, body: undefined }))).toMatchObject({
      status: 404,
    });
  });

  it("run on the guardrail with and without changed fields", async () => {
    for (const body of [REDACTS, PASSES]) await create(body);
    expect(await run()).toMatchObject({ passed: 2, failed: 0 });
    const drafted = await run({
      content_filter_builtins: [{ slug: "email", action: "block" }],
      ignored_providers: ["sandbox"],
    });
    expect(inWords(drafted).sort()).toEqual([
      ["Passes", false, "no_endpoint", "expected allowed, was no_endpoint"],
      ["Redacts", false, "blocked", "expected redacted, was blocked"],
    ]);
    expect(await run()).toMatchObject({ passed: 2 });
  });

  it("can expect a deciding rule", async () => {
    await create({ ...REDACTS, expected: { outcome: "redacted", field: "content_filters" } });
    expect(inWords(await run())).toEqual([
      ["Redacts", false, "redacted", "redacted, but not by content_filters: by content_filter_builtins email"],
    ]);
    expect(inWords(await run({ content_filters: [{ pattern: "ada", action: "redact" }] }))).toEqual([
      ["Redacts", true, "redacted", null],
    ]);
  });

  it("evaluate the guardrail alone", async () => {
    const other = (
      await guardrails.create(world.context, {
        params: {},
        query: {},
        body: { name: "Default", ignored_providers: ["sandbox"] },
      })
    ).data;
    await world.context.db.workspace.update({
      where: { id: world.workspaceId },
      data: { defaultGuardrailId: other.id },
    });
    await create();
    expect(await run()).toMatchObject({ passed: 1 });
  });

  it("report why a request can't be evaluated", async () => {
    await create({ name: "Preset", request: { model: "@preset/gone", input: "hi" }, expected: { outcome: "allowed" } });
    expect(inWords(await run())).toEqual([["Preset", false, null, expect.stringContaining("gone")]]);
  });

  it("reject a save when required, without writing anything", async () => {
    for (const body of [REDACTS, PASSES]) await create(body);
    await save({ content_filter_builtins: null });
    await save(EMAIL);
    await require();
    expect((await list()).tests_required).toBe(true);
    const refused = await failure(save({ content_filter_builtins: null }));
    expect(refused).toMatchObject({
      status: 409,
      metadata: {
        reason: "tests_failed",
        failed_tests: [
          {
            name: "Redacts",
            expected: { outcome: "redacted" },
            actual: "allowed",
            why: "expected redacted, was allowed",
          },
        ],
      },
    });
    expect((await guardrails.get(world.context, { params: { id }, query: {}, body: undefined })).data).toMatchObject({
      revision: 3,
      content_filter_builtins: [{ slug: "email" }],
    });
    expect(await failure(restore(world.context, { params: { id, n: 2 }, query: {}, body: {} }))).toMatchObject({
      status: 409,
    });
    expect((await save({ name: "Renamed" })).data).toMatchObject({ name: "Renamed", revision: 4 });
    await require(false);
    expect((await save({ content_filter_builtins: null })).data.revision).toBe(5);
  });

  describe("that are required", () => {
    /** Waits with `before` until a transaction is about to begin, and counts open transactions. */
    const watched = (before: () => Promise<unknown> = () => Promise.resolve()) => {
      const { db } = world.context;
      const seen = { open: 0, evaluatedIn: [] as number[] };
      const $transaction = async (...[work, options]: Parameters<NonNullable<typeof db.$transaction>>) => {
        await before();
        seen.open += 1;
        return db.$transaction?.(work, options).finally(() => (seen.open -= 1));
      };
      const random = () => (seen.evaluatedIn.push(seen.open), 0.5);
      const context = {
        ...world.context,
        random,
        db: Object.create(db, { $transaction: { value: $transaction } }) as typeof db,
      };
      return { context, seen };
    };
    const saves = {
      update: (context: World["context"]) =>
        guardrails.update(context, { params: { id }, query: {}, body: { description: "Changed" } }),
      restore: (context: World["context"]) => restore(context, { params: { id, n: 1 }, query: {}, body: {} }),
    };

    it.each(["update", "restore"] as const)("run before the transaction of a save: %s", async (save) => {
      await create();
      await require();
      const { context, seen } = watched();
      expect((await saves[save](context)).data.revision).toBe(2);
      expect(seen).toEqual({ open: 0, evaluatedIn: [0] });
    });

    it.each(["update", "restore"] as const)(
      "reject a save with 412 if the guardrail changed while they ran: %s",
      async (name) => {
        await create();
        await require();
        const { context } = watched(() => save({ name: "Moved" }));
        expect(await failure(saves[name](context))).toMatchObject({ status: 412, metadata: { current_revision: 2 } });
      },
    );

    it("reject a save with 412 if a test was added or became required while they ran", async () => {
      await create();
      expect(await failure(saves.update(watched(() => require()).context))).toMatchObject({ status: 412 });
      expect(await failure(saves.update(watched(() => create(PASSES)).context))).toMatchObject({ status: 412 });
      expect((await saves.update(world.context)).data.revision).toBe(2);
    });
  });

  it("reject requests that inference would reject, and more than a hundred tests", async () => {
    expect(await failure(create({ ...REDACTS, request: { model: "sandbox/echo" } }))).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: ["request", "input"] }] },
    });
    const test = await create();
    const params = { id, test_id: test.id };
    expect(
      await failure(tests.update(world.context, { params, query: {}, body: { protocol: "chat_completions" } })),
    ).toMatchObject({ status: 400 });
    await world.context.db.policyTest.createMany({
      data: Array.from({ length: 99 }, (_, n) => ({
        id: crypto.randomUUID(),
        guardrailId: id,
        name: `T${n}`,
        protocol: "responses" as const,
        request: PASSES.request,
        outcome: "allowed",
        createdAt: NOW,
      })),
    });
    expect(await failure(create())).toMatchObject({ status: 409 });
  });

  it("are scoped to their organization and audited", async () => {
    const { id: test_id } = await create();
    await require();
    const stranger = (await testWorld()).context;
    const input = { params: { id, test_id }, query: {}, body: undefined };
    expect(await failure(tests.remove(stranger, input))).toMatchObject({ status: 404 });
    expect(await failure(tests.run(stranger, { ...input, body: {} }))).toMatchObject({ status: 404 });
    await tests.remove(world.context, input);
    const events = await world.context.db.auditEvent.findMany({
      where: { organizationId: world.organizationId, action: { not: "guardrail.create" } },
    });
    expect(events.map(({ action }) => action).sort()).toEqual([
      "guardrail.require_tests",
      "policy_test.create",
      "policy_test.delete",
    ]);
  });
});
