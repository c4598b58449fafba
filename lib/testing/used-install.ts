import { expect } from "vitest";
import { largeInstall } from "../demo/large-install";
import { compareRollups, rollUp } from "../features/analytics/rollup-service";
import type { OpenDatabase } from "../platform/database/open";
import { uuidv7 } from "../platform/ids";
import { createDeliveries } from "../platform/outbox/outbox-store";
import { openCredentials, sealCredentials } from "../records/providers/credential-rows";
import { findKeyCaller } from "../records/keys/credentials-store";
import { verifyPassword } from "../records/members/password";
import { bootstrap } from "../server/bootstrap";
import { TEST_SETTINGS } from "./context";
import { NOW } from "./test-context";

const SETTINGS = { ...TEST_SETTINGS, managementKey: "management-key-of-a-used-install-0123456789" };
const PROVIDER_KEY = "sk-of-a-provider";

/** Fills an installation with some of everything: requests, sums, a waiting delivery, a provider's API key. */
export async function fillInstall({ client, query }: OpenDatabase, generations: number): Promise<void> {
  await bootstrap(client, SETTINGS, NOW);
  for (const script of largeInstall({ generations, keys: 30, guardrails: 10, contents: 0.5 })) await query(script);
  const { id: organizationId } = await client.organization.findFirstOrThrow();
  const data = { id: uuidv7(NOW), organizationId, url: "https://hooks.example/", events: [], secretCiphertext: "v2" };
  const webhook = await client.webhook.create({ data });
  await createDeliveries(client, [{ webhookId: webhook.id, type: "webhook.test", data: { é: "\t\\N\n" } }], NOW);
  const provider = await client.provider.findFirstOrThrow({ orderBy: { id: "asc" } });
  const { apiKeyCiphertext } = sealCredentials(SETTINGS, provider, { api_key: PROVIDER_KEY });
  await client.provider.update({ where: { id: provider.id }, data: { apiKeyCiphertext } });
  await rollUp(client, undefined, generations / 2);
}

/** Returns a part of everything, to compare with the same part of a copy. */
export const described = async ({ client }: OpenDatabase) => ({
  organization: await client.organization.findFirst({
    include: { members: { orderBy: { id: "asc" } }, workspaces: true },
  }),
  keys: await client.key.findMany({ orderBy: { id: "asc" }, include: { secrets: true } }),
  guardrails: await client.guardrail.findMany({ orderBy: { id: "asc" }, include: { revisions: true } }),
  deliveries: await client.webhookDelivery.findMany(),
  newest: await client.generation.findMany({
    orderBy: [{ createdAt: "desc" }],
    take: 50,
    include: { content: true, decisions: true },
  }),
});

/**
 * Fails unless a copy of the installation works: its key, its admin's password, its provider's credentials, and its
 * sums.
 */
export async function assertWorks({ client: db }: OpenDatabase): Promise<void> {
  expect(await findKeyCaller(db, SETTINGS.managementKey, NOW)).toMatchObject({ keyKind: "management" });
  const admin = await db.member.findFirstOrThrow({ where: { email: SETTINGS.adminEmail } });
  expect(await verifyPassword(admin.passwordHash, SETTINGS.adminPassword ?? "")).toBe(true);
  const provider = await db.provider.findFirstOrThrow({ where: { apiKeyCiphertext: { not: null } } });
  expect(openCredentials(SETTINGS, provider).apiKey).toBe(PROVIDER_KEY);
  await rollUp(db);
  const { id } = await db.organization.findFirstOrThrow();
  for (const table of await compareRollups(db, id, NOW)) expect(table).toMatchObject({ missing: 0, wrong: 0 });
}
