import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import fc from "fast-check";
import pg from "pg";
import { openPostgres, type OpenDatabase } from "../platform/database/open";
import { CURRENT_MS } from "../platform/database/policy-cache";
import { inTransaction, type Database } from "../platform/database/transaction";
import { uuidv7 } from "../platform/ids";
import { logger } from "../platform/logger";
import { findKeyCaller } from "../records/keys/credentials-store";
import { loadLayers } from "../records/guardrails/layers-store";
import { findSession } from "../records/members/session-store";
import { applyPreset } from "../records/presets/apply-service";
import { sealCredentials } from "../records/providers/credential-rows";
import { sha256 } from "../platform/secrets";
import { createKey, createMember } from "../testing/factories";
import { createModel, createProvider } from "../testing/providers";
import { connectionString } from "../testing/large-organization";
import { NOW, testDatabase, testWorld, type World } from "../testing/test-context";
import { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";
import { findEndpoints } from "./endpoints-store";

/** A stored value that requests depend on. Its version `n` is written, and its effect on a request is compared. */
interface Fact {
  write: (db: Database, n: number) => Promise<unknown>;
  /** Returns the expected effect of version `n` on a request. */
  seen: (n: number) => unknown;
  observe: (db: Database) => Promise<unknown>;
}

const isPostgres = () => Boolean(inject("postgresUrl"));
const instances: Database[] = [];
const opened: OpenDatabase[] = [];

beforeAll(async () => {
  const own = await testDatabase();
  instances.push(own.client);
  if (!isPostgres()) return;
  for (let count = 1; count < 3; count++) opened.push(await openPostgres(await connectionString()));
  instances.push(...opened.map(({ client }) => client));
});
afterAll(() => Promise.all(opened.map(({ close }) => close())));

const STEPS = 300;
const later = new Date(NOW.getTime() + 86_400_000);
const isOdd = (n: number) => n % 2 === 1;

/** Creates an organization and returns the values that change in it. */
async function factsOf(world: World): Promise<Readonly<Record<string, Fact>>> {
  const { context, organizationId, workspaceId, adminId } = world;
  const { db, settings } = context;
  const [named, toggled, deleted, rotated, assigned] = [
    await createKey(world),
    await createKey(world),
    await createKey(world),
    await createKey(world),
    await createKey(world),
  ];
  const memberId = await createMember(world);
  const guardrail = (name: string) =>
    db.guardrail.create({ data: { id: uuidv7(NOW), workspaceId, name, createdAt: NOW } });
  const [policy, byKey, byMember] = [await guardrail("0"), await guardrail("key"), await guardrail("member")];
  await db.workspace.update({ where: { id: workspaceId }, data: { defaultGuardrailId: policy.id } });
  const providerId = await createProvider(world);
  await createModel(world, { slug: "acme/one", providerId });
  await createModel(world, { slug: "acme/two", providerId });
  const one = { organizationId_slug: { organizationId, slug: "acme/one" } };
  const model = await db.model.findUniqueOrThrow({ where: one, include: { endpoints: true } });
  const preset = await db.preset.create({
    data: {
      id: uuidv7(NOW),
      workspaceId,
      slug: "support",
      name: "Support",
      latestVersion: 2,
      updatedAt: NOW,
      versions: {
        create: [1, 2].map((version) => ({
          id: uuidv7(NOW),
          version,
          config: {},
          systemPrompt: `version ${version}`,
          creatorId: adminId,
        })),
      },
    },
  });
  const target = (n: number) => ({ presetId: preset.id, version: (n % 2) + 1 });
  await db.presetLabel.create({ data: { name: "live", ...target(0) } });
  const token = "t".repeat(43) + organizationId;
  const tokenHash = sha256(token);
  const times = { createdAt: NOW, lastSeenAt: NOW, authenticatedAt: NOW, expiresAt: later };
  const session = (userId: string) => ({ id: uuidv7(NOW), tokenHash, memberId: userId, ...times });
  await db.session.create({ data: session(adminId) });
  const other = { token: `other ${token}`, tokenHash: sha256(`other ${token}`) };
  await db.session.create({ data: { ...session(memberId), tokenHash: other.tokenHash } });

  const [leaverId, signedInId] = [await createMember(world), await createMember(world)];
  const leaving = { key: await createKey(world, { creatorUserId: leaverId }), token: `leaving ${token}` };
  await db.session.create({ data: { ...session(signedInId), tokenHash: sha256(leaving.token) } });
  const deactivate = (at: Database, id: string, n: number) =>
    at.member.update({ where: { id }, data: { deactivatedAt: isOdd(n) ? NOW : null } });

  const subject = { workspaceId, userId: memberId, keyId: assigned.id };
  const layers = (at: Database) => loadLayers(at, subject, settings.zdrVendors, NOW);
  const hasLayer = async (at: Database, id: string) => (await layers(at)).some((layer) => layer.guardrail.id === id);
  const isKey = async (at: Database, text: string) => (await findKeyCaller(at, text, NOW)) !== null;
  const endpoints = (at: Database, slug: string) => findEndpoints({ ...context, db: at }, [slug]);
  const presetVersion = async (at: Database, reference: string) => {
    const body = ResponsesBody.parse({ input: "hi", preset: reference });
    const applied = await applyPreset({ ...context, db: at }, "responses", body).catch(() => null);
    return applied?.preset?.version ?? null;
  };
  await db.exception.create({
    data: {
      id: uuidv7(NOW),
      organizationId,
      keyId: assigned.id,
      kind: "allow_phrase",
      phrase: "phrase",
      reason: "reason",
      createdAt: NOW,
      expiresAt: later,
    },
  });
  return {
    "a key's name": {
      write: (at, n) => at.key.update({ where: { id: named.id }, data: { name: String(n) } }),
      seen: (n) => (n === 0 ? "Key" : String(n)),
      observe: async (at) => {
        const caller = await findKeyCaller(at, named.text, NOW);
        return caller?.keyName;
      },
    },
    "a key's limit": {
      write: (at, n) => at.key.update({ where: { id: named.id }, data: { limitMicroUsd: n } }),
      seen: (n) => (n === 0 ? null : BigInt(n)),
      observe: async (at) => {
        const caller = await findKeyCaller(at, named.text, NOW);
        return caller?.limit.limitMicroUsd;
      },
    },
    "a disabled key": {
      write: (at, n) => at.key.update({ where: { id: toggled.id }, data: { disabled: isOdd(n) } }),
      seen: (n) => !isOdd(n),
      observe: (at) => isKey(at, toggled.text),
    },
    "a key of a deactivated member": {
      write: (at, n) => deactivate(at, leaverId, n),
      seen: (n) => !isOdd(n),
      observe: (at) => isKey(at, leaving.key.text),
    },
    "a session of a deactivated member": {
      write: (at, n) => deactivate(at, signedInId, n),
      seen: (n) => !isOdd(n),
      observe: async (at) => (await findSession(at, leaving.token, NOW)) !== null,
    },
    "a deleted key": {
      write: (at, n) => at.key.update({ where: { id: deleted.id }, data: { deletedAt: isOdd(n) ? NOW : null } }),
      seen: (n) => !isOdd(n),
      observe: (at) => isKey(at, deleted.text),
    },
    "a rotated key": {
      write: (at, n) =>
        at.keySecret.update({ where: { hash: rotated.hash }, data: { expiresAt: isOdd(n) ? NOW : null } }),
      seen: (n) => !isOdd(n),
      observe: (at) => isKey(at, rotated.text),
    },
    "a key's text": {
      write: (at, n) =>
        isOdd(n)
          ? at.keySecret.deleteMany({ where: { hash: assigned.hash } })
          : at.keySecret.create({ data: { hash: assigned.hash, keyId: assigned.id, createdAt: NOW } }),
      seen: (n) => !isOdd(n),
      observe: (at) => isKey(at, assigned.text),
    },
    "a guardrail": {
      write: (at, n) => at.guardrail.update({ where: { id: policy.id }, data: { name: String(n) } }),
      seen: String,
      observe: async (at) => (await layers(at)).find(({ scope }) => scope === "workspace")?.guardrail.name,
    },
    "a key's assignment": {
      write: (at, n) =>
        isOdd(n)
          ? at.guardrailKeyAssignment.create({
              data: { id: uuidv7(NOW), organizationId, guardrailId: byKey.id, keyId: assigned.id, createdAt: NOW },
            })
          : at.guardrailKeyAssignment.deleteMany({ where: { keyId: assigned.id } }),
      seen: isOdd,
      observe: (at) => hasLayer(at, byKey.id),
    },
    "a member's assignment": {
      write: (at, n) =>
        isOdd(n)
          ? at.guardrailMemberAssignment.create({
              data: {
                id: uuidv7(NOW),
                organizationId,
                guardrailId: byMember.id,
                workspaceId,
                userId: memberId,
                createdAt: NOW,
              },
            })
          : at.guardrailMemberAssignment.deleteMany({ where: { userId: memberId } }),
      seen: isOdd,
      observe: (at) => hasLayer(at, byMember.id),
    },
    exceptions: {
      write: (at, n) =>
        at.exception.updateMany({ where: { keyId: assigned.id }, data: { endedAt: isOdd(n) ? NOW : null } }),
      seen: (n) => !isOdd(n),
      observe: async (at) => (await layers(at)).some(({ exceptions }) => exceptions),
    },
    "a provider's credentials": {
      write: (at, n) => {
        const { apiKeyCiphertext } = sealCredentials(
          settings,
          { organizationId, id: providerId },
          { api_key: String(n) },
        );
        return at.provider.update({ where: { id: providerId }, data: { apiKeyCiphertext } });
      },
      seen: (n) => (n === 0 ? null : String(n)),
      observe: async (at) => {
        const { connections } = await endpoints(at, "acme/two");
        return connections.get(providerId)?.credentials().apiKey;
      },
    },
    "a model": {
      write: (at, n) => at.model.update({ where: { id: model.id }, data: { contextLength: n } }),
      seen: (n) => (n === 0 ? null : n),
      observe: async (at) => (await endpoints(at, "acme/one")).endpoints[0]?.model.contextLength,
    },
    "an endpoint": {
      write: (at, n) =>
        at.endpoint.update({ where: { id: model.endpoints[0]?.id ?? "" }, data: { upstreamModel: String(n) } }),
      seen: (n) => (n === 0 ? "acme/one" : String(n)),
      observe: async (at) => (await endpoints(at, "acme/one")).endpoints[0]?.upstreamModel,
    },
    "a preset's designated version": {
      write: (at, n) => at.preset.update({ where: { id: preset.id }, data: { designatedVersion: target(n).version } }),
      seen: (n) => target(n).version,
      observe: (at) => presetVersion(at, "support"),
    },
    "a preset's label": {
      write: (at, n) =>
        at.presetLabel.update({
          where: { presetId_name: { presetId: preset.id, name: "live" } },
          data: { version: target(n).version },
        }),
      seen: (n) => target(n).version,
      observe: (at) => presetVersion(at, "support:live"),
    },
    "a session": {
      write: (at, n) =>
        isOdd(n) ? at.session.deleteMany({ where: { tokenHash } }) : at.session.create({ data: session(adminId) }),
      seen: (n) => !isOdd(n),
      observe: async (at) => (await findSession(at, token, NOW)) !== null,
    },
    "a member": {
      write: (at, n) => at.member.update({ where: { id: memberId }, data: { deletedAt: isOdd(n) ? NOW : null } }),
      seen: (n) => !isOdd(n),
      observe: async (at) => (await findSession(at, other.token, NOW)) !== null,
    },
  };
}

/** Returns a seeded generator of random natural numbers below a bound. */
function naturals(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Versions of a fact: when each write began and ended, and by whom. */
interface Version {
  begunAt: number;
  answeredAt: number;
  by: number;
}

/**
 * Writes and observes at random on all instances concurrently, and checks every observation. Without notifications, the
 * writer is like the others.
 */
async function run(seed: number, isNotified = true): Promise<void> {
  const world = await testWorld();
  const facts = Object.entries(await factsOf(world));
  // Versions written before the start are outdated for no instance.
  await setTimeout(CURRENT_MS);
  const history = facts.map((): Version[] => [{ begunAt: -Infinity, answeredAt: -Infinity, by: -1 }]);
  const turns = facts.map(() => Promise.resolve());
  const write = async (index: number, by: number, isTransaction: boolean) => {
    const db = instances[by] as Database;
    const fact = facts[index]?.[1] as Fact;
    const versions = history[index] as Version[];
    const version: Version = { begunAt: performance.now(), answeredAt: Infinity, by };
    versions.push(version);
    const n = versions.length - 1;
    await (isTransaction ? inTransaction(db, (transaction) => fact.write(transaction, n)) : fact.write(db, n));
    version.answeredAt = performance.now();
  };
  const observe = async (index: number, by: number) => {
    const [name, fact] = facts[index] as [string, Fact];
    const versions = history[index] as Version[];
    const at = performance.now();
    const isOld = ({ answeredAt, by: writer }: Version) =>
      answeredAt <= (isNotified && writer === by ? at : at - CURRENT_MS);
    const oldest = versions.findLastIndex(isOld);
    const found = await fact.observe(instances[by] as Database);
    const allowed = versions.slice(oldest).map((_, offset) => fact.seen(oldest + offset));
    expect(allowed, `${name} on instance ${by}`).toContainEqual(found);
  };
  await Promise.all(
    instances.map(async (_, by) => {
      const below = naturals(seed + by);
      for (let step = 0; step < STEPS; step++) {
        const index = below(facts.length);
        if (below(3) > 0) await observe(index, by);
        else {
          const turn = (turns[index] as Promise<void>).then(() => write(index, by, below(2) > 0));
          turns[index] = turn.catch(() => undefined);
          await turn;
        }
      }
    }),
  );
}

const holds = (numRuns: number, isNotified = true) =>
  fc.assert(
    fc.asyncProperty(fc.integer(), (seed) => run(seed, isNotified)),
    { numRuns, endOnFailure: true },
  );

it("is never outdated in the process that changed it, nor anywhere after a second", () => holds(4));

it("is neither while connections for notifications of changes are cut", async (test) => {
  if (!isPostgres()) return test.skip();
  const admin = new pg.Client({ connectionString: await connectionString() });
  await admin.connect();
  const warn = vi.spyOn(logger(), "warn").mockReturnValue();
  let cuts = 0;
  const end = new AbortController();
  const cutting = (async () => {
    while (!end.signal.aborted) {
      await setTimeout(150);
      const { rowCount } = await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signalbox policy'",
      );
      cuts += rowCount ?? 0;
    }
  })();
  await holds(3).finally(() => end.abort());
  await cutting;
  await admin.end();
  expect(cuts).toBeGreaterThan(3);
  expect(warn).toHaveBeenCalled();
  warn.mockRestore();
});

it("is nowhere outdated after a second when notifications are lost", async (test) => {
  if (!isPostgres()) return test.skip();
  const { client: db } = await testDatabase();
  const [{ source }] = await db.$queryRaw<[{ source: string }]>`
    SELECT pg_get_functiondef('note_policy_change'::regproc) AS source`;
  await db.$executeRawUnsafe(source.replace(/PERFORM pg_notify.*/, ""));
  try {
    await holds(2, false);
  } finally {
    await db.$executeRawUnsafe(source);
  }
});
