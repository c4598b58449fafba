import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { Prisma } from "../../prisma/generated/client";
import type { CacheKind } from "../platform/database/policy-cache";
import type { Database } from "../platform/database/transaction";
import { newKeyText } from "../platform/key-text";
import { findKeyCaller } from "../records/keys/credentials-store";
import { loadLayers } from "../records/guardrails/layers-store";
import { findSession, TOKEN_LENGTH } from "../records/members/session-store";
import { applyPreset } from "../records/presets/apply-service";
import { createSandbox } from "../server/bootstrap";
import { sha256 } from "../platform/secrets";
import { createKey } from "../testing/factories";
import { NOW, testDatabase, testWorld, type World } from "../testing/test-context";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { CreateLimitBody } from "../records/limits/contract";
import { create as createLimit } from "../records/limits/service";
import { loadLimits } from "../records/limits/limits-store";
import { allowsUnpriced } from "../records/workspaces/unpriced-store";
import { logsContent } from "./record/placed-content-store";
import { findEndpoints } from "./endpoints-store";
import { createResponse } from "./service";

let world: World;
beforeAll(async () => {
  world = await testWorld();
});

/** Functions that load each kind of cached value. */
const LOADERS: Readonly<Record<CacheKind, (db: Database) => Promise<unknown>>> = {
  key: (db) => findKeyCaller(db, newKeyText("inference"), NOW),
  session: (db) => findSession(db, "x".repeat(TOKEN_LENGTH), NOW),
  subject: (db) => {
    const { workspaceId, adminId, context } = world;
    return loadLayers(db, { workspaceId, userId: adminId, keyId: null }, context.settings.zdrVendors, NOW);
  },
  layers: async (db) => LOADERS.subject(db),
  unpriced: (db) => allowsUnpriced(db, world.workspaceId),
  logging: (db) => logsContent(db, world.workspaceId),
  limits: (db) => loadLimits(db, world.organizationId),
  catalogue: (db) => findEndpoints({ ...world.context, db }, ["acme/one"]),
  preset: (db) =>
    applyPreset(
      { ...world.context, db },
      "responses",
      ResponsesBody.parse({ input: "hi", preset: "support:production" }),
    ).catch(() => undefined),
};

/** Returns the text of the statements that a loader sends; model queries have none and fail. */
async function statementsOf(load: (db: Database) => Promise<unknown>): Promise<string[]> {
  const { client } = await testDatabase();
  const statements: string[] = [];
  const $queryRaw = (texts: TemplateStringsArray, ...values: unknown[]) => {
    const statement = Prisma.sql(texts, ...values);
    statements.push(statement.sql);
    return client.$queryRaw(statement);
  };
  await load({ $queryRaw } as unknown as Database);
  return statements;
}

const tablesIn = (statement: string) => [...statement.matchAll(/\b(?:FROM|JOIN)\s+"?(\w+)/gi)].map(([, name]) => name);

describe("tables that cached values are read from", () => {
  it("are those with triggers that note their changes", async () => {
    const { client } = await testDatabase();
    const read = new Set<string | undefined>();
    for (const [kind, load] of Object.entries(LOADERS)) {
      const statements = await statementsOf(load);
      expect(statements, kind).toHaveLength(1);
      for (const name of statements.flatMap(tablesIn)) read.add(name);
    }
    const watched = await client.$queryRaw<{ table: string; triggers: string[] }[]>`
      SELECT tgrelid::regclass::text AS table, array_agg(tgname::text ORDER BY tgname) AS triggers
      FROM pg_trigger WHERE tgfoid = 'note_policy_change'::regproc GROUP BY 1`;
    expect(watched.map(({ table }) => table).sort()).toEqual([...read].sort());
    for (const { table, triggers } of watched)
      expect(triggers, table).toEqual(["note_delete", "note_insert", "note_update"]);
  });
});

describe("a change", () => {
  const notes = async () => {
    const { client } = await testDatabase();
    return client.policyChange.count({ where: { organizationId: world.organizationId } });
  };

  it("is noted once by each transaction that makes it, and not when it is rolled back", async () => {
    const { context, workspaceId } = world;
    const before = await notes();
    const rename = (db: Database, name: string) => db.workspace.update({ where: { id: workspaceId }, data: { name } });
    await context.db.$transaction?.(async (transaction) => {
      await rename(transaction, "one");
      await rename(transaction, "two");
    });
    expect(await notes()).toBe(before + 1);
    const undone = context.db.$transaction?.(async (transaction) => {
      await rename(transaction, "three");
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await notes()).toBe(before + 1);
  });

  it("of nothing, or of the time when a session was last seen, isn't noted", async () => {
    const { context, workspaceId, adminId } = world;
    const { db } = context;
    const id = crypto.randomUUID();
    const times = { createdAt: NOW, lastSeenAt: NOW, authenticatedAt: NOW, expiresAt: NOW };
    await db.session.create({ data: { id, tokenHash: id, memberId: adminId, ...times } });
    const before = await notes();
    await db.workspace.updateMany({ where: { id: workspaceId }, data: { contentLogging: true } });
    await db.session.update({ where: { id }, data: { lastSeenAt: new Date(0) } });
    expect(await notes()).toBe(before);
    await db.session.update({ where: { id }, data: { authenticatedAt: new Date(0) } });
    expect(await notes()).toBe(before + 1);
  });
});

describe("once it is cached", () => {
  /** Returns the statements that a request sends. */
  async function sentBy(request: () => Promise<unknown>): Promise<string[]> {
    const spy = vi.spyOn(pg.Client.prototype, "query");
    await request();
    const calls: unknown[] = spy.mock.calls.map(([first]) => first);
    spy.mockRestore();
    return calls
      .map((call) => (typeof call === "string" ? call : (call as { text: string }).text))
      .filter((text) => !/pg_current_snapshot|pg_backend_pid|^LISTEN/.test(text));
  }

  it("a request sends no statement but the one that records it", async () => {
    const { context, organizationId, workspaceId, adminId } = world;
    await createSandbox(context.db, organizationId, NOW);
    const { text } = await createKey(world);
    const version = { id: crypto.randomUUID(), version: 1, config: {}, systemPrompt: "Be kind", creatorId: adminId };
    const id = crypto.randomUUID();
    await context.db.preset.create({
      data: { id, workspaceId, slug: "kind", name: "Kind", updatedAt: NOW, versions: { create: version } },
    });
    const body = ResponsesBody.parse({ model: "sandbox/echo", input: "hello", preset: "kind" });
    const request = async () => {
      const caller = await findKeyCaller(context.db, text, NOW);
      if (!caller) throw new Error("unknown key");
      await createResponse({ ...context, caller, headers: new Headers() }, { params: {}, query: {}, body });
    };
    await expect
      .poll(() => sentBy(request))
      .toEqual([expect.stringMatching(/INSERT INTO generations|^EXECUTE record_/)]);
  });

  it("a request under limits sends no further statement, while leases cover it", async () => {
    const own = await testWorld();
    const { context, organizationId } = own;
    await createSandbox(context.db, organizationId, NOW);
    const { text } = await createKey(own);
    const counted = [
      { metric: "requests", subject_type: "organization" },
      { metric: "tokens", subject_type: "model" },
      { metric: "requests", subject_type: "end_user" },
    ];
    const ids: string[] = [];
    for (const [index, limit] of counted.entries()) {
      const { data } = await createLimit(context, {
        params: {},
        query: {},
        body: CreateLimitBody.parse({ ...limit, name: `Limit ${index}`, amount: 1e9, reset_interval: "hourly" }),
      });
      ids.push(data.id);
    }
    const body = ResponsesBody.parse({ model: "sandbox/echo", input: "hello", user: "eve", max_output_tokens: 10 });
    const request = async () => {
      const caller = await findKeyCaller(context.db, text, NOW);
      if (!caller) throw new Error("unknown key");
      await createResponse({ ...context, caller, headers: new Headers() }, { params: {}, query: {}, body });
    };
    await expect
      .poll(() => sentBy(request))
      .toEqual([expect.stringMatching(/INSERT INTO generations|^EXECUTE record_/)]);
    expect(await context.db.budget.count({ where: { sourceId: { in: ids }, subject: "end_user" } })).toBe(1);
  });

  it("a session is found without a statement", async () => {
    const { db } = world.context;
    const id = crypto.randomUUID();
    const token = "s".repeat(TOKEN_LENGTH);
    const times = { createdAt: NOW, lastSeenAt: NOW, authenticatedAt: NOW, expiresAt: new Date(NOW.getTime() + 1000) };
    await db.session.create({ data: { id, tokenHash: sha256(token), memberId: world.adminId, ...times } });
    const request = async () => expect(await findSession(db, token, NOW)).not.toBeNull();
    await expect.poll(() => sentBy(request)).toEqual([]);
  });
});
