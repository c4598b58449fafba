import { beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { filterInput } from "../../gateway/filters/filter-service";
import { scanLimits } from "../../gateway/filters/scan-service";
import type { Context } from "../../platform/context";
import { assignKeys } from "../../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody, GuardrailDraft } from "../../records/guardrails/contract";
import * as guardrails from "../guardrails/service";
import { EventStream } from "../../platform/http/event-stream";
import { newGenerationId } from "../../platform/ids";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import * as inference from "../../gateway/service";
import { draftLayer } from "../../records/guardrails/draft";
import { filterRules } from "../../engine/policy/filter-rules";
import { createKey, keyCaller } from "../../testing/factories";
import { failure } from "../../testing/expect-failure";
import { createModel, createProvider } from "../../testing/providers";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { Replay, ReplayBody } from "./contract";
import { replay } from "./service";

interface Place {
  world: World;
  key: { id: string; hash: string };
}

async function place(): Promise<Place> {
  const world = await testWorld();
  await createSandbox(world.context.db, world.organizationId, NOW);
  return { world, key: await createKey(world) };
}

const create = async ({ context }: World, body: Partial<CreateGuardrailBody>) =>
  (await guardrails.create(context, { params: {}, query: {}, body: { name: "Guard", ...body } })).data.id;
const assign = async ({ world, key }: Place, id: string) =>
  assignKeys(world.context, { params: { id }, query: { dry_run: "false" }, body: { key_hashes: [key.hash] } });
const update = async ({ context }: World, id: string, body: GuardrailDraft) =>
  guardrails.update(context, { params: { id }, query: {}, body });

let second = 0;
/** Sends requests one second apart, newest last, and returns their ids. */
async function send({ world, key }: Place, ...inputs: (string | object)[]): Promise<string[]> {
  const ids: string[] = [];
  for (const input of inputs) {
    const now = new Date(NOW.getTime() - 3_600_000 + (second += 1) * 1000);
    const context: Context = { ...world.context, now, headers: new Headers(), caller: keyCaller(world, key.id) };
    const body = ResponsesBody.parse({ model: "sandbox/echo", ...(typeof input === "string" ? { input } : input) });
    await inference.createResponse(context, { params: {}, query: {}, body }).catch(() => undefined);
    ids.push(context.headers.get("x-generation-id") ?? "");
  }
  return ids;
}

const ask = async ({ context }: World, body: object) => {
  const answer = await replay(context, { params: {}, query: {}, body: ReplayBody.parse(body) });
  if (answer instanceof EventStream) throw new Error("expected no stream");
  return Replay.parse(answer.data);
};

const EMAIL = "Write to ada@example.com";
const filter = (action: "block" | "redact" | "flag", pattern = "XYZ-[0-9]+", label = "[CODE]"): GuardrailDraft => ({
  content_filters: [{ pattern, label, action }],
});
const email = (action: "block" | "redact"): GuardrailDraft => ({
  content_filter_builtins: [{ slug: "email", action }],
});
const NOTHING = {
  newly_blocked: 0,
  newly_redacted: 0,
  newly_flagged: 0,
  newly_allowed: 0,
  rerouted: 0,
  no_endpoint: 0,
  budget_exhausted: 0,
};

describe("a draft replayed on requests recorded without a guardrail", () => {
  let here: Place;
  let ids: string[];
  beforeAll(async () => {
    here = await place();
    ids = await send(here, "Hello", "The code is XYZ-1", EMAIL);
  });

  it.each<[string, GuardrailDraft, Partial<Replay>, number[]]>([
    ["nothing", {}, { unchanged: 3 }, []],
    ["block", filter("block"), { unchanged: 2, newly_blocked: 1 }, [1]],
    ["redact", filter("redact"), { unchanged: 2, newly_redacted: 1 }, [1]],
    ["flag", filter("flag"), { unchanged: 2, newly_flagged: 1 }, [1]],
    ["a builtin", email("redact"), { unchanged: 2, newly_redacted: 1 }, [2]],
    ["a model", { ignored_models: ["sandbox/echo"] }, { unchanged: 0, no_endpoint: 3 }, [2, 1, 0]],
    ["a provider", { allowed_providers: ["elsewhere"] }, { unchanged: 0, no_endpoint: 3 }, [2, 1, 0]],
    ["zero retention", { enforce_zdr_other: true }, { unchanged: 3 }, []],
    ["no money", { limit_usd: 0 }, { unchanged: 0, budget_exhausted: 3 }, [2, 1, 0]],
  ])("%s", async (_what, guardrail, counts, changed) => {
    const result = await ask(here.world, { guardrail });
    expect(result).toMatchObject({
      selected: 3,
      truncated: false,
      evaluated: 3,
      not_evaluable: 0,
      ...NOTHING,
      ...counts,
      next_cursor: null,
    });
    expect(result.rows.map(({ generation_id }) => generation_id)).toEqual(changed.map((index) => ids[index]));
  });

  it("returns the original result, the new one, the reason and the matches", async () => {
    const { rows } = await ask(here.world, { guardrail: { name: "Codes", ...filter("block") } });
    expect(rows).toEqual([
      {
        generation_id: ids[1],
        created_at: expect.any(String),
        change: "newly_blocked",
        before: { outcome: "allowed", message: null, provider: "sandbox", model: "sandbox/echo", decisions: [] },
        after: {
          outcome: "blocked",
          message: "Request blocked by content filter: [CODE]",
          provider: null,
          model: "sandbox/echo",
          decisions: [
            expect.objectContaining({
              scope: "draft",
              guardrail_name: "Codes",
              field: "content_filters",
              rule: "[CODE]",
              action: "block",
            }),
          ],
        },
        why: "Blocked by “Codes” ([CODE])",
        found: [{ path: ["messages", 0, "content"], start: 12, end: 17, rule: "[CODE]" }],
      },
    ]);
  });

  it("is limited by last, times and filters, and paged by cursor", async () => {
    const guardrail = { ignored_models: ["sandbox/echo"] };
    expect(await ask(here.world, { guardrail, selection: { last: 2 } })).toMatchObject({
      selected: 2,
      truncated: true,
      no_endpoint: 2,
    });
    expect(await ask(here.world, { guardrail, selection: { filters: { q: "code" } } })).toMatchObject({
      selected: 1,
      rows: [{ generation_id: ids[1] }],
    });
    expect(await ask(here.world, { guardrail, selection: { to: "2000-01-01T00:00:00Z" } })).toMatchObject({
      selected: 0,
      rows: [],
    });
    const other = await createKey(here.world);
    expect(await ask(here.world, { guardrail, key_hashes: [other.hash] })).toMatchObject({ selected: 0 });
    expect(await ask(here.world, { guardrail, key_hashes: [here.key.hash] })).toMatchObject({
      selected: 3,
      no_endpoint: 3,
    });
    const first = await ask(here.world, { guardrail, limit: 2, selection: { last: 3 } });
    expect(first).toMatchObject({
      selected: 3,
      no_endpoint: 3,
      rows: [{ generation_id: ids[2] }, { generation_id: ids[1] }],
    });
    expect(
      await ask(here.world, { guardrail, limit: 2, selection: { last: 3 }, cursor: first.next_cursor }),
    ).toMatchObject({ selected: 1, no_endpoint: 1, rows: [{ generation_id: ids[0] }], next_cursor: null });
  });

  it("audits the number of contents read, once", async () => {
    const { context, workspaceId } = here.world;
    await context.db.auditEvent.deleteMany({ where: { action: "guardrail.replay" } });
    await ask(here.world, { guardrail: filter("block") });
    await ask(here.world, { guardrail: { ignored_models: ["sandbox/echo"] } });
    const events = await context.db.auditEvent.findMany({
      where: { action: "guardrail.replay", organizationId: here.world.organizationId },
    });
    expect(events).toMatchObject([
      { targetType: "workspace", targetId: workspaceId, after: { selected: 3, contents_read: 3 } },
    ]);
  });

  it("rejects invalid selections", async () => {
    const { world } = here;
    expect(await failure(ask(world, { guardrail: {}, key_hashes: ["nobody"] }))).toMatchObject({ status: 400 });
    expect(await failure(ask(world, { guardrail: { id: "0193a5b0-0000-7000-8000-000000000000" } }))).toMatchObject({
      status: 404,
    });
    expect(await failure(ask(world, { guardrail: {}, cursor: "nonsense" }))).toMatchObject({ status: 400 });
    const elsewhere = await testWorld();
    expect(await ask(elsewhere, { guardrail: {} })).toMatchObject({ selected: 0 });
    expect(await failure(ask(elsewhere, { guardrail: {}, key_hashes: [here.key.hash] }))).toMatchObject({
      status: 400,
    });
  });
});

describe("a guardrail that was in force", () => {
  it("reproduces its decisions even after the content was deleted", async () => {
    const here = await place();
    const id = await create(here.world, {
      content_filter_builtins: [
        { slug: "email", action: "redact" },
        { slug: "ssn", action: "block" },
      ],
      content_filters: [
        { pattern: "XYZ-[0-9]+", action: "flag" },
        { pattern: "XYZ", action: "flag" },
      ],
      ignored_models: ["sandbox/reasoner"],
    });
    await assign(here, id);
    const ids = await send(
      here,
      "Hello",
      EMAIL,
      "My SSN is 219-09-9999",
      "XYZ-1 and XYZ",
      { model: "sandbox/reasoner", input: "Hi" },
      { model: "sandbox/unavailable", models: ["sandbox/echo", "sandbox/reasoner"], input: EMAIL },
      { model: "nobody/serves", input: "Hi" },
    );
    const { db } = here.world.context;
    const [stored] = await db.generation.findMany({ where: { id: ids[1] ?? "" } });
    await db.generationContent.deleteMany({ where: { generationId: ids[1] ?? "" } });
    await db.generation.update({
      where: { createdAt_id: { createdAt: stored?.createdAt ?? NOW, id: ids[1] ?? "" } },
      data: { contentDeletedAt: NOW },
    });
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({
      selected: 7,
      evaluated: 7,
      not_evaluable: 0,
      unchanged: 7,
      rows: [],
    });
  });

  it("finds national phone numbers of the recorded regions, whatever the workspace's are now", async () => {
    const here = await place();
    const { context, workspaceId } = here.world;
    const setRegions = (...regions: string[]) =>
      context.db.workspace.update({ where: { id: workspaceId }, data: { regions } });
    const phone: GuardrailDraft = { content_filter_builtins: [{ slug: "phone", action: "block" }] };
    const id = await create(here.world, phone);
    await assign(here, id);
    await setRegions("PL", "DE");
    const [blocked = ""] = await send(here, "Try 512 345 678 before noon");
    await setRegions();
    const [sent = ""] = await send(here, "Try 512 345 678 before noon");
    const facts = async (generation: string) =>
      (await context.db.generation.findMany({ where: { id: generation } }))[0]?.policyFacts;
    expect(await facts(blocked)).toMatchObject({
      layers: [{ regions: ["PL", "DE"] }],
      matched: [{ rule: "phone DE PL" }],
    });
    expect(await facts(sent)).toMatchObject({ layers: [{ guardrail_id: id }], matched: [] });
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ evaluated: 2, unchanged: 2 });
    await setRegions("PL");
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ evaluated: 2, unchanged: 2 });
    expect(await ask(here.world, { guardrail: { workspace_id: workspaceId, ...phone } })).toMatchObject({
      evaluated: 2,
      unchanged: 1,
      newly_blocked: 1,
    });
  });

  it("changes only its own layer", async () => {
    const here = await place();
    const id = await create(here.world, email("redact"));
    await assign(here, id);
    const ids = await send(here, EMAIL, "XYZ-1", "My SSN is 219-09-9999");
    expect(await ask(here.world, { guardrail: { id, ...email("block") } })).toMatchObject({
      unchanged: 2,
      newly_blocked: 1,
      rows: [{ generation_id: ids[0], why: "Blocked by “Guard” (Email addresses)" }],
    });
    expect(await ask(here.world, { guardrail: { id, content_filter_builtins: null } })).toMatchObject({
      unchanged: 2,
      newly_allowed: 1,
      rows: [{ why: "No longer redacted by “Guard” (Email addresses)" }],
    });
    // Content redacted to a label can't be scanned by another filter.
    const other = await ask(here.world, {
      guardrail: { id, content_filter_builtins: [{ slug: "ssn", action: "block" }] },
    });
    expect(other).toMatchObject({
      evaluated: 2,
      not_evaluable: 1,
      obstacles: { redacted: 1 },
      newly_blocked: 1,
      rows: [{ generation_id: ids[2] }],
    });
    // With its original filter still in place, another one scans the rest; the label itself doesn't match.
    expect(await ask(here.world, { guardrail: { id, ...filter("block", "(?i)email|XYZ") } })).toMatchObject({
      evaluated: 3,
      newly_blocked: 1,
      rows: [{ generation_id: ids[1] }],
    });
    await update(here.world, id, email("block"));
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ unchanged: 2, newly_blocked: 1 });
  });

  it("a block is reproduced from its record", async () => {
    const here = await place();
    const id = await create(here.world, filter("block"));
    await assign(here, id);
    await send(here, "XYZ-1", { model: "sandbox/echo", input: "XYZ-2" });
    expect(await ask(here.world, { guardrail: { id, content_filters: null } })).toMatchObject({
      newly_allowed: 2,
      unchanged: 0,
    });
    expect(await ask(here.world, { guardrail: { id, ...filter("redact") } })).toMatchObject({ newly_allowed: 2 });
    expect(await ask(here.world, { guardrail: { id, ...filter("block"), ...email("block") } })).toMatchObject({
      unchanged: 2,
    });
    expect(await ask(here.world, { guardrail: { id, content_filters: null, ...email("block") } })).toMatchObject({
      evaluated: 0,
      not_evaluable: 2,
      obstacles: { redacted: 2 },
    });
  });

  it("applies to requests of its assigned keys and members, and replaces their guardrail", async () => {
    const here = await place();
    const before = await create(here.world, filter("block"));
    await assign(here, before);
    await send(here, "XYZ-1");
    const stranger = { ...here, key: await createKey(here.world) };
    await send(stranger, "XYZ-1");
    const id = await create(here.world, {});
    await assign(here, id);
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ selected: 1, newly_allowed: 1 });
    expect(await ask(here.world, { guardrail: {}, key_hashes: [stranger.key.hash] })).toMatchObject({
      selected: 1,
      unchanged: 1,
    });
    // A draft added to all layers doesn't lift blocks of others.
    expect(await ask(here.world, { guardrail: {} })).toMatchObject({ selected: 2, unchanged: 2 });
  });
});

describe("filters of answers", () => {
  const answers = (action: "block" | "redact", pattern = "said: [A-Z]{3}"): GuardrailDraft => ({
    content_filters: [{ pattern, label: "[SAID]", action, scope: "response" }],
  });

  it("read the stored answer", async () => {
    const here = await place();
    const ids = await send(here, "Hello", "XYZ");
    const result = await ask(here.world, { guardrail: answers("block") });
    expect(result).toMatchObject({ evaluated: 2, ...NOTHING, newly_blocked: 1 });
    expect(result.rows).toMatchObject([
      {
        generation_id: ids[1],
        after: {
          outcome: "blocked",
          message: "Response blocked by content filter: [SAID]",
          decisions: [
            {
              rule: "[SAID]",
              direction: "response",
              spans: [{ path: ["choices", 0, "message", "content"], start: 4, end: 13 }],
            },
          ],
        },
      },
    ]);
    expect(await ask(here.world, { guardrail: answers("redact") })).toMatchObject({ ...NOTHING, newly_redacted: 1 });
  });

  it("are reproduced from the record; the rest of a blocked answer is unknown", async () => {
    for (const action of ["redact", "block"] as const) {
      const here = await place();
      const id = await create(here.world, { name: "Said", ...answers(action) });
      await assign(here, id);
      await send(here, "Hello", "XYZ");
      await here.world.context.db.generationContent.deleteMany({});
      expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ evaluated: 2, unchanged: 2, ...NOTHING });
      const without = await ask(here.world, { guardrail: { id, content_filters: null } });
      expect(without).toMatchObject({ ...NOTHING, newly_allowed: 1 });
      const changed = await ask(here.world, { guardrail: { id, ...answers("block", "Hello") } });
      expect(changed).toMatchObject({ ...NOTHING, not_evaluable: 2 });
    }
  });
});

describe("obstacles", () => {
  it("are counted by reason", async () => {
    const here = await place();
    const { context, organizationId, workspaceId } = here.world;
    const [first = "", second_ = "", third = "", fourth = ""] = await send(here, "a", "b", "c", "d");
    const change = async (id: string, data: object) =>
      context.db.generation.updateMany({ where: { id, organizationId }, data });
    await context.db.generation.update({
      where: {
        createdAt_id: await context.db.generation.findFirstOrThrow({
          where: { id: first },
          select: { createdAt: true, id: true },
        }),
      },
      data: { policyFacts: { layers: "?" } },
    });
    await context.db.generationContent.deleteMany({ where: { generationId: { in: [second_, third] } } });
    await Promise.all([change(second_, { contentDeletedAt: NOW }), change(third, { contentStored: false })]);
    expect(await ask(here.world, { guardrail: filter("block") })).toMatchObject({
      selected: 4,
      evaluated: 1,
      not_evaluable: 3,
      obstacles: { facts_not_kept: 1, content_expired: 1, content_not_stored: 1 },
    });
    await context.db.workspace.update({ where: { id: workspaceId }, data: { contentRetentionDays: 0 } });
    expect((await ask(here.world, { guardrail: filter("block") })).obstacles).toMatchObject({ content_expired: 2 });
    await context.db.catalogueSnapshot.deleteMany({ where: { organizationId } });
    expect((await ask(here.world, { guardrail: {} })).obstacles).toEqual({ facts_not_kept: 1, catalogue_gone: 3 });
    expect(fourth).not.toBe("");
  });
});

describe("routing", () => {
  it("changes when the draft excludes the provider that answered", async () => {
    const here = await place();
    const providerId = await createProvider(here.world, { slug: "acme", baseUrl: "http://127.0.0.1:1" });
    await createModel(here.world, { slug: "acme/one", providerId });
    await send(here, { model: "sandbox/echo", models: ["sandbox/reasoner"], input: "Hi" });
    const { rows, rerouted } = await ask(here.world, { guardrail: { ignored_models: ["sandbox/echo"] } });
    expect(rerouted).toBe(1);
    expect(rows).toMatchObject([
      {
        change: "rerouted",
        before: { model: "sandbox/echo" },
        after: { model: "sandbox/reasoner" },
        why: "Routed to sandbox (sandbox/reasoner) instead of sandbox",
      },
    ]);
  });
});

describe("a limit", () => {
  it("reports when the selected requests alone would have reached it, and blocks later ones", async () => {
    const here = await place();
    const ids = await send(here, "Hello", "Hello", "Hello", "Hello");
    const row = await here.world.context.db.generation.findFirstOrThrow({ where: { id: ids[0] ?? "" } });
    const limit_usd = (Number(row.costMicroUsd) * 2) / 1_000_000;
    const result = await ask(here.world, {
      guardrail: { limit_usd, reset_interval: "daily" },
      key_hashes: [here.key.hash],
    });
    expect(result).toMatchObject({ budget_exhausted: 2, unchanged: 2 });
    expect(result.rows.map(({ generation_id }) => generation_id)).toEqual([ids[3], ids[2]]);
    expect(result.budgets).toMatchObject([
      {
        counted_per: "key",
        key_hash: here.key.hash,
        limit_usd,
        reset_interval: "daily",
        generation_id: ids[1],
        stopped: 2,
      },
    ]);
  });

  it("that blocked a request still does, unless the draft raises it", async () => {
    const here = await place();
    const id = await create(here.world, { limit_usd: 0.000001, reset_interval: "daily" });
    await assign(here, id);
    await send(here, "Hello", "Hello");
    expect(await ask(here.world, { guardrail: { id } })).toMatchObject({ unchanged: 2, budgets: [] });
    expect(await ask(here.world, { guardrail: { id, limit_usd: 5 } })).toMatchObject({
      newly_allowed: 1,
      unchanged: 1,
    });
  });
});

/** Copies a recorded request with texts of different length, one millisecond apart. */
async function copies({ world }: Place, id: string, count: number, text: string): Promise<void> {
  const { db } = world.context;
  const { recordedIn: _, ...row } = await db.generation.findFirstOrThrow({ where: { id } });
  const places = Array.from({ length: count }, (_none, index) => {
    const createdAt = new Date(row.createdAt.getTime() - index - 1);
    return { createdAt, id: newGenerationId(createdAt) };
  });
  const json = ({ timings, metadata, attempts, policyFacts }: typeof row) => ({
    timings: timings ?? undefined,
    metadata: metadata ?? undefined,
    attempts: attempts ?? [],
    policyFacts: policyFacts ?? undefined,
  });
  await db.generation.createMany({ data: places.map((at) => ({ ...row, ...json(row), ...at })) });
  await db.generationContent.createMany({
    data: places.map(({ createdAt, id: generationId }) => ({
      createdAt,
      generationId,
      input: { messages: [{ role: "user", content: text }] },
      searchText: "",
    })),
  });
}

describe("a long replay", () => {
  let here: Place;
  const heavy: GuardrailDraft = {
    content_filter_builtins: [
      { slug: "person-name", action: "redact" },
      { slug: "address", action: "redact" },
      { slug: "phone", action: "redact" },
    ],
  };
  const prose = "Ada Lovelace met Charles Babbage at 12 St James Square, London, and called +44 20 7946 0958. ".repeat(
    20,
  );
  beforeAll(async () => {
    here = await place();
    const [id = ""] = await send(here, "Hello");
    await copies(here, id, 250, prose);
  });

  it("doesn't delay the filters of live requests", async () => {
    const { settings, signal } = here.world.context;
    const limits = scanLimits({ ...here.world.context, settings: { ...settings, filterWorkers: 1 }, signal });
    const own = () =>
      filterInput(
        { protocol: "responses", body: ResponsesBody.parse({ input: "Hello ada@example.com" }) },
        filterRules([draftLayer(email("redact"), settings.zdrVendors)]),
        limits,
      );
    await own();
    let isOver = false;
    const leaving = new AbortController();
    const body = ReplayBody.parse({ guardrail: heavy });
    const replaying = failure(
      replay({ ...here.world.context, signal: leaving.signal }, { params: {}, query: {}, body }).finally(
        () => (isOver = true),
      ),
    );
    for (let answered = 0; answered < 20; answered += 1) {
      expect(await own()).toMatchObject({ outcome: "redacted" });
      expect(isOver).toBe(false);
    }
    leaving.abort();
    expect(await replaying).toMatchObject({ status: 499 });
  });

  it("stops when its consumer disconnects", async () => {
    const { context, organizationId } = here.world;
    await context.db.auditEvent.deleteMany({ where: { organizationId, action: "guardrail.replay" } });
    const leaving = new AbortController();
    const run = failure(
      replay(
        { ...context, signal: leaving.signal },
        { params: {}, query: {}, body: ReplayBody.parse({ guardrail: heavy }) },
      ),
    );
    setTimeout(() => leaving.abort(), 50);
    expect(await run).toMatchObject({ status: 499 });
    const [event] = await context.db.auditEvent.findMany({ where: { organizationId, action: "guardrail.replay" } });
    expect((event?.after as { contents_read: number } | null)?.contents_read ?? 0).toBeLessThan(251);
  });

  it("is rejected while the maximum number is running", async () => {
    const at: Context = { ...here.world.context, client: { ...here.world.context.client, wantsEvents: true } };
    const start = () => replay(at, { params: {}, query: {}, body: ReplayBody.parse({ guardrail: heavy }) });
    const streams = await Promise.all(Array.from({ length: 4 }, start));
    const readers = streams.map((stream) => (stream as EventStream).body.getReader());
    await Promise.all(readers.map((reader) => reader.read()));
    expect(await failure(start())).toMatchObject({ status: 429 });
    await Promise.all(readers.map((reader) => reader.cancel()));
    expect(await ask(here.world, { guardrail: {}, selection: { last: 1 } })).toMatchObject({ selected: 1 });
  });
});

describe("events", () => {
  it("report progress, then the result; disconnecting stops the replay", async () => {
    const here = await place();
    await send(here, ...Array.from({ length: 3 }, () => "XYZ-1"));
    const at: Context = { ...here.world.context, client: { ...here.world.context.client, wantsEvents: true } };
    const input = { params: {}, query: {}, body: ReplayBody.parse({ guardrail: filter("flag") }) };
    const start = () => replay(at, input);
    const answer = await start();
    if (!(answer instanceof EventStream)) throw new Error("expected a stream");
    const text = await new Response(answer.body).text();
    const events = text
      .trim()
      .split("\n\n")
      .map((event) => event.split("\n"));
    expect(events.map(([name]) => name)).toEqual(["event: progress", "event: result"]);
    expect(
      Replay.parse((JSON.parse(events[1]?.[1]?.slice("data: ".length) ?? "") as { data: unknown }).data),
    ).toMatchObject({ newly_flagged: 3 });

    for (let time = 0; time < 6; time += 1) {
      const left = await start();
      if (left instanceof EventStream) await left.body.cancel();
    }
    const gone = replay({ ...here.world.context, signal: AbortSignal.abort() }, input);
    expect(await failure(gone)).toMatchObject({ status: 499 });
    expect(await ask(here.world, { guardrail: filter("flag") })).toMatchObject({ newly_flagged: 3 });
  });
});
