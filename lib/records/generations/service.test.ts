import { beforeAll, describe, expect, it } from "vitest";
import { NO_GRANTS } from "../../platform/grants";
import { createKey, createMember, createWorkspace, memberCaller } from "../../testing/factories";
import { createGeneration } from "../../testing/generations";
import { failure } from "../../testing/expect-failure";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { NO_KEY_LIMIT } from "../../engine/budgets/budget-rule";
import { requestIdOf } from "../../platform/http/request-id.mjs";
import { uuidv7 } from "../../platform/ids";
import type { Context } from "../../platform/context";
import { Generation, ListGenerationsQuery } from "./contract";
import { API_TYPES } from "../../engine/protocols/vocabulary";
import { exportAll } from "./export-service";
import * as generations from "./service";

const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const list = (context: Context, query: object = {}) =>
  generations.list(context, { params: {}, query: ListGenerationsQuery.parse(query), body: undefined });
/** Ids of all pages of a list, which has few rows each. */
async function pages(context: Context, query: object): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await list(context, { ...query, limit: "2", cursor });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return ids;
}
const get = (context: Context, id: string) => generations.get(context, { params: {}, query: { id }, body: undefined });

/** Creates a context with a member's console session. */
const asMember = (world: World, userId: string): Context => ({
  ...world.context,
  caller: memberCaller(world, userId),
});

describe("searching content", () => {
  it("is refused for a member, in every list, because a match reveals what they can't read", async () => {
    const world = await testWorld();
    const memberId = await createMember(world);
    const id = await createGeneration(world, { userId: memberId });
    const context = asMember(world, memberId);
    const filters = { q: "falcon" };
    const lists = [
      list(context, filters),
      generations.tail(context, { params: {}, query: { ...filters, limit: 5 }, body: undefined }),
      generations.neighbours(context, { params: {}, query: { ...filters, id }, body: undefined }),
      exportAll(context, { params: {}, query: { ...filters, format: "jsonl" }, body: undefined }),
    ];
    expect((await Promise.all(lists.map(failure))).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await list(context, { q: id })).data.map((record) => record.id)).toEqual([id]);
    expect((await list(world.context, filters)).data).toEqual([]);
  });
});

describe("the record", () => {
  it("contains every field of the contract", async () => {
    const world = await testWorld();
    const key = await createKey(world, { name: "Robot" });
    const id = await createGeneration(world, {
      keyId: key.id,
      costMicroUsd: 1_234_567n,
      httpReferer: "https://app.example",
    });
    await world.context.db.decision.create({
      data: {
        createdAt: NOW,
        generationId: id,
        position: 0,
        scope: "key",
        field: "content_filter_builtins",
        rule: "email",
        action: "redact",
        spans: [],
      },
    });
    const { data } = await get(world.context, id);
    expect(Generation.parse(data)).toMatchObject({
      id,
      created_at: NOW.toISOString(),
      total_cost: 1.234567,
      key_hash: key.hash,
      key_name: "Robot",
      provider_name: "Sandbox",
      origin: "https://app.example",
      decisions: [{ scope: "key", rule: "email", action: "redact" }],
      provider_responses: [{ status: 200, provider_name: "Sandbox" }],
    });
  });

  it("has the timings of older records, which are an object", async () => {
    const world = await testWorld();
    const timings = { queue: 4, policy: 2, filters: 3, checks: 1, upstream_first_byte: null, total: 9 };
    const id = await createGeneration(world, { timings });
    const { data } = await generations.get(world.context, { params: {}, query: { id }, body: undefined });
    expect(data.timings).toEqual(timings);
  });

  it("has the API of its request, which lists filter", async () => {
    const world = await testWorld();
    const ids = new Map<string, string>();
    for (const apiType of API_TYPES) ids.set(apiType, await createGeneration(world, { apiType }));
    for (const protocol of API_TYPES) {
      const { data } = await list(world.context, { protocol });
      expect(data.map(({ id }) => id)).toEqual([ids.get(protocol)]);
      expect(Generation.parse(data[0])).toMatchObject({
        protocol,
        api_type: protocol === "embeddings" ? "embeddings" : "completions",
      });
    }
    const { body } = await exportAll(world.context, {
      params: {},
      query: { protocol: ["completions", "embeddings"], format: "csv" },
      body: undefined,
    });
    const lines = (await new Response(body).text()).trimEnd().split("\r\n");
    const column = lines[0]?.split(",").indexOf("protocol") ?? -1;
    expect(lines.slice(1).map((line) => line.split(",")[column])).toEqual(
      expect.arrayContaining(["completions", "embeddings"]),
    );
    expect(lines).toHaveLength(3);
  });

  it("is readable by the inference key that created it, and by no other", async () => {
    const world = await testWorld();
    const [key, other] = [await createKey(world), await createKey(world)];
    const id = await createGeneration(world, { keyId: key.id });
    const withKey = ({ id: keyId }: { id: string }): Context => ({
      ...world.context,
      caller: {
        kind: "key",
        keyKind: "inference",
        keyId,
        keyName: "K",
        organizationId: world.organizationId,
        workspaceId: world.workspaceId,
        userId: world.adminId,
        limit: NO_KEY_LIMIT,
        grants: NO_GRANTS,
      },
    });
    expect((await get(withKey(key), id)).data).toMatchObject({ id });
    expect((await failure(get(withKey(other), id))).status).toBe(404);
  });

  it("is a 404 for an unknown, a malformed and another organization's id", async () => {
    const [world, other] = [await testWorld(), await testWorld()];
    const foreign = await createGeneration(other);
    for (const id of [foreign, "gen-1-short", "nonsense", `gen-1234567890-${"a".repeat(20)}`])
      expect((await failure(get(world.context, id))).status).toBe(404);
  });

  it("of another member's key is a 404 for a member", async () => {
    const world = await testWorld();
    const memberId = await createMember(world);
    const own = await createGeneration(world, { userId: memberId });
    const others = await createGeneration(world);
    const context = asMember(world, memberId);
    expect((await get(context, own)).data.id).toBe(own);
    expect((await failure(get(context, others))).status).toBe(404);
    expect((await list(context)).data.map(({ id }) => id)).toEqual([own]);
  });
});

describe("the list", () => {
  let world: World;
  const named: Record<string, string> = {};
  let keyHash: string;
  let guardrailId: string;

  beforeAll(async () => {
    world = await testWorld();
    const { db } = world.context;
    const key = await createKey(world);
    keyHash = key.hash;
    const memberId = await createMember(world);
    const presetId = uuidv7(NOW);
    await db.preset.create({
      data: {
        id: presetId,
        workspaceId: world.workspaceId,
        slug: "brief",
        name: "brief",
        createdAt: NOW,
        updatedAt: NOW,
      },
    });
    guardrailId = uuidv7(NOW);
    named.plain = await createGeneration(world, { createdAt: ago(10) });
    named.failed = await createGeneration(world, {
      createdAt: ago(20),
      status: "failed",
      providerSlug: "acme",
      model: "acme/one",
    });
    named.keyed = await createGeneration(world, { createdAt: ago(30), keyId: key.id, costMicroUsd: 5_000_000n });
    named.member = await createGeneration(world, {
      createdAt: ago(40),
      userId: memberId,
      sessionId: "s1",
      traceId: "t1",
    });
    named.preset = await createGeneration(world, { createdAt: ago(50), presetId, status: "cancelled" });
    named.spoken = await createGeneration(world, {
      createdAt: ago(60),
      content: {
        input: {
          messages: [
            { role: "system", content: null },
            { role: "user", content: "tell me about penguins" },
            { role: "user", content: [{ type: "text", text: "and tell them" }] },
          ],
        },
        completion: "they swim",
        searchText: "tell me about penguins and them they swim",
      },
    });
    await db.decision.create({
      data: {
        createdAt: ago(40),
        generationId: named.member,
        position: 0,
        scope: "key",
        guardrailId,
        field: "allowed_models",
        action: "exclude",
        spans: [],
      },
    });
    await db.decision.create({
      data: {
        createdAt: ago(50),
        generationId: named.preset,
        position: 0,
        scope: "key",
        guardrailId,
        field: "content_filter_builtins",
        rule: "email",
        action: "redact",
        spans: [],
      },
    });
    named.other = await createGeneration(world, {
      createdAt: ago(70),
      apiType: "chat_completions",
      presetId,
      presetVersion: 2,
      workspaceId: await createWorkspace(world),
    });
    named.memberId = memberId;
  });

  const names = async (query: object) => {
    const { data } = await list(world.context, query);
    return data.map(({ id }) => Object.keys(named).find((name) => named[name] === id));
  };

  it("is newest first", async () => {
    expect(await names({})).toEqual(["plain", "failed", "keyed", "member", "preset", "spoken", "other"]);
  });

  it.each<[string, () => object, string[]]>([
    ["status", () => ({ status: "failed" }), ["failed"]],
    ["status, any of", () => ({ status: ["failed", "cancelled"] }), ["failed", "preset"]],
    ["model", () => ({ model: "acme/one" }), ["failed"]],
    ["model, any of", () => ({ model: ["acme/one", "nobody/none"] }), ["failed"]],
    ["provider", () => ({ provider: "acme" }), ["failed"]],
    ["key_hash", () => ({ key_hash: keyHash }), ["keyed"]],
    ["key_hash, any of", () => ({ key_hash: [keyHash, "0".repeat(64)] }), ["keyed"]],
    ["user_id", () => ({ user_id: named.memberId }), ["member"]],
    ["guardrail_id", () => ({ guardrail_id: guardrailId }), ["member", "preset"]],
    ["rule", () => ({ rule: "email" }), ["preset"]],
    ["rule, which may be a field", () => ({ rule: ["allowed_models", "phone"] }), ["member"]],
    ["action", () => ({ action: "redact" }), ["preset"]],
    ["action, any of", () => ({ action: ["redact", "exclude"] }), ["member", "preset"]],
    [
      "guardrail, rule and action of one decision",
      () => ({ guardrail_id: guardrailId, rule: "email", action: "exclude" }),
      [],
    ],
    ["protocol", () => ({ protocol: "chat_completions" }), ["other"]],
    ["workspace_id", () => ({ workspace_id: world.workspaceId, protocol: "chat_completions" }), []],
    ["preset", () => ({ preset: "brief" }), ["preset", "other"]],
    ["preset_version", () => ({ preset: "brief", preset_version: "2" }), ["other"]],
    ["the id of a generation", () => ({ q: named.keyed }), ["keyed"]],
    ["session_id", () => ({ session_id: "s1" }), ["member"]],
    ["trace_id", () => ({ trace_id: "t1" }), ["member"]],
    ["from and to", () => ({ from: ago(40).toISOString(), to: ago(20).toISOString() }), ["keyed", "member"]],
    ["min_cost", () => ({ min_cost: "5" }), ["keyed"]],
    ["max_cost", () => ({ max_cost: "0.000009", status: "failed" }), ["failed"]],
    ["q", () => ({ q: "penguins swim" }), ["spoken"]],
    ["q with a phrase", () => ({ q: '"tell them"' }), ["spoken"]],
    ["q with a phrase over two texts", () => ({ q: '"penguins and" "them they" swim' }), ["spoken"]],
    ["q with words in another order", () => ({ q: '"them tell"' }), []],
    ["q with words that follow each other only in the index", () => ({ q: '"penguins and them"' }), []],
    ["q without a phrase", () => ({ q: 'penguins -"them tell"' }), ["spoken"]],
    ["q with a phrase to leave out", () => ({ q: 'penguins -"tell them"' }), []],
    ["q without a match", () => ({ q: "penguins -swim" }), []],
    ["several filters together", () => ({ status: "failed", model: "sandbox/echo" }), []],
  ])("filters by %s", async (_name, query, expected) => {
    expect(await names(query())).toEqual(expected);
  });

  it("has the last 30 days, or those before its end, unless it has a start", async () => {
    const old = await testWorld();
    const day = 24 * 60 * 60;
    const [fresh, aged] = [
      await createGeneration(old, { createdAt: ago(29 * day) }),
      await createGeneration(old, { createdAt: ago(31 * day) }),
    ];
    const ids = async (query: object) => (await list(old.context, query)).data.map(({ id }) => id);
    expect(await ids({})).toEqual([fresh]);
    expect(await ids({ from: ago(32 * day).toISOString() })).toEqual([fresh, aged]);
    expect(await ids({ to: ago(30 * day).toISOString() })).toEqual([aged]);
    expect(await ids({ q: aged })).toEqual([aged]);
    const beside = (id: string) => generations.neighbours(old.context, { params: {}, query: { id }, body: undefined });
    expect((await beside(aged)).data).toEqual({ newer: fresh, older: null });
    expect((await beside(fresh)).data).toEqual({ newer: null, older: aged });
  });

  it("returns each record once across pages, even with equal times", async () => {
    const crowd = await testWorld();
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, index) => createGeneration(crowd, { createdAt: ago(Math.floor(index / 3)) })),
    );
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(crowd.context, { limit: "2", cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toHaveLength(7);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  it("returns a generation's neighbors in the filtered log", async () => {
    const neighbours = async (id: string, query: object = {}) =>
      (await generations.neighbours(world.context, { params: {}, query: { id, ...query }, body: undefined })).data;
    expect(await neighbours(named.keyed ?? "")).toEqual({ newer: named.failed, older: named.member });
    expect(await neighbours(named.plain ?? "", { preset: "brief" })).toEqual({ newer: null, older: named.preset });
    expect(await neighbours(named.keyed ?? "", { status: ["failed"] })).toEqual({ newer: named.failed, older: null });
    expect(
      (
        await failure(
          generations.neighbours((await testWorld()).context, {
            params: {},
            query: { id: named.keyed ?? "" },
            body: undefined,
          }),
        )
      ).status,
    ).toBe(404);
  });

  it.each(["x", "!!", Buffer.from("123~not-an-id").toString("base64url")])(
    "rejects the malformed cursor %j",
    async (cursor) => {
      expect(await failure(list(world.context, { cursor }))).toMatchObject({
        status: 400,
        metadata: { issues: [{ path: ["cursor"] }] },
      });
    },
  );

  it("excludes other organizations", async () => {
    const { context } = await testWorld();
    expect(await list(context, { key_hash: keyHash })).toEqual({ data: [], next_cursor: null });
    expect((await list(context)).data).toEqual([]);
  });
});

describe("a request's id", () => {
  it("from Signalbox finds its generations at any time, one of a caller within the time range", async () => {
    const world = await testWorld();
    const at = ago(90 * 86_400);
    const ours = requestIdOf(null, at);
    const created = (createdAt: Date, requestId: string) => createGeneration(world, { createdAt, requestId });
    const [first, second] = [await created(at, ours), await created(new Date(at.getTime() + 1), ours)];
    await created(ago(80 * 86_400), ours);
    await created(at, "checkout-1");
    const recent = await created(ago(1), "checkout-1");
    const ids = async (query: object) => (await list(world.context, query)).data.map(({ id }) => id);
    expect(await ids({ request_id: ours })).toEqual([second, first]);
    expect(await ids({ request_id: ours, from: ago(86_400).toISOString() })).toEqual([]);
    expect(await ids({ request_id: "checkout-1" })).toEqual([recent]);
    expect(await ids({ request_id: "checkout-2" })).toEqual([]);
  });
});

describe("end users and applications", () => {
  it("filter the log; an application without a title has the name of its referer", async () => {
    const world = await testWorld();
    const { context } = world;
    const titled = await createGeneration(world, { appTitle: "Desk, Inc.", httpReferer: "https://desk.example" });
    const untitled = await createGeneration(world, { httpReferer: "https://desk.example", externalUser: "ann" });
    const ids = async (query: object) => (await list(context, query)).data.map(({ id }) => id);
    expect(await ids({ app: "Desk, Inc." })).toEqual([titled]);
    expect(await ids({ app: "https://desk.example" })).toEqual([untitled]);
    expect((await ids({ app: ["Desk, Inc.", "https://desk.example"] })).toSorted()).toEqual(
      [titled, untitled].toSorted(),
    );
    expect(await ids({ end_user: "ann" })).toEqual([untitled]);
    expect(await ids({ end_user: "bob" })).toEqual([]);
    expect(await ids({ end_user: "ann", app: "Desk, Inc." })).toEqual([]);
  });
});

describe("sorting", () => {
  /** Generations of two costs, two of which are equal, and of unknown cost. */
  async function sorted() {
    const world = await testWorld();
    const created = async (seconds: number, overrides: Parameters<typeof createGeneration>[1]) =>
      createGeneration(world, { createdAt: ago(seconds), ...overrides });
    const ids = {
      cheap: await created(1, { costMicroUsd: 1n, tokensPrompt: 9, tokensCompletion: 0, generationTimeMs: 30 }),
      older: await created(5, { costMicroUsd: 7n, tokensPrompt: 5, tokensCompletion: null, generationTimeMs: 30 }),
      equal: await created(3, { costMicroUsd: 7n, tokensPrompt: 2, tokensCompletion: 3, generationTimeMs: 10 }),
      unknown: await created(2, { costMicroUsd: 90n, costKnown: false, tokensPrompt: null, tokensCompletion: null }),
      free: await created(4, { costMicroUsd: 0n, costKnown: false, tokensPrompt: null, tokensCompletion: null }),
    };
    return { world, ids };
  }
  type Name = keyof Awaited<ReturnType<typeof sorted>>["ids"];

  it.each<[string, Name[]]>([
    ["-cost", ["equal", "older", "cheap", "unknown", "free"]],
    ["cost", ["cheap", "older", "equal", "free", "unknown"]],
    ["-tokens", ["cheap", "equal", "older", "unknown", "free"]],
    ["tokens", ["older", "equal", "cheap", "free", "unknown"]],
    ["-duration", ["cheap", "older", "equal", "unknown", "free"]],
    ["duration", ["equal", "older", "cheap", "free", "unknown"]],
    ["created_at", ["older", "free", "equal", "unknown", "cheap"]],
    ["-created_at", ["cheap", "unknown", "equal", "free", "older"]],
  ])("by %s pages without gaps, unknown values last, and has neighbours in this order", async (sort, names) => {
    const { world, ids } = await sorted();
    const expected = names.map((name) => ids[name]);
    expect(await pages(world.context, { sort })).toEqual(expected);
    for (const [index, id] of expected.entries()) {
      const query = { id, ...ListGenerationsQuery.pick({ sort: true }).parse({ sort }) };
      const { data } = await generations.neighbours(world.context, { params: {}, query, body: undefined });
      expect(data).toEqual({ newer: expected[index - 1] ?? null, older: expected[index + 1] ?? null });
    }
  });

  it("applies to every filter, also of decisions and words", async () => {
    const { world, ids } = await sorted();
    const { db } = world.context;
    for (const id of [ids.cheap, ids.equal, ids.unknown]) {
      const { createdAt } = await db.generation.findFirstOrThrow({ where: { id } });
      const decision = {
        createdAt,
        generationId: id,
        scope: "key" as const,
        field: "models",
        action: "flag",
        spans: [],
      };
      await db.decision.createMany({ data: [0, 1].map((position) => ({ ...decision, position })) });
      const content = { createdAt, generationId: id, input: {}, searchText: "seldom" };
      await db.generationContent.create({ data: content });
    }
    for (const filters of [
      { action: "flag" },
      { q: "seldom" },
      { user_id: world.adminId, action: "flag", q: "seldom" },
    ])
      expect(await pages(world.context, { sort: "-cost", ...filters })).toEqual([ids.equal, ids.cheap, ids.unknown]);
    const day = { from: ago(4).toISOString(), to: ago(2).toISOString() };
    expect(await pages(world.context, { sort: "-cost", ...day })).toEqual([ids.equal, ids.free]);
  });

  it("has its own cursor: one of another order, or a malformed one, is a 400", async () => {
    const { world } = await sorted();
    const { next_cursor: cursor } = await list(world.context, { sort: "-cost", limit: "2" });
    for (const query of [{ sort: "-tokens", cursor }, { cursor }, { sort: "cost", cursor: "x" }])
      expect(await failure(list(world.context, query))).toMatchObject({ status: 400 });
  });
});
