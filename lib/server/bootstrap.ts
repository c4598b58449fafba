import "server-only";
import { inTransaction, type Database } from "../platform/database/transaction";
import type { Env } from "../platform/env";
import { newUserId, uuidv7 } from "../platform/ids";
import { keyHash, keyLabel, newKeyText } from "../platform/key-text";
import { SANDBOX_MODELS, SANDBOX_PROVIDER } from "../gateway/upstream/sandbox-catalogue";
import { randomBase62 } from "../platform/secrets";
import { StartError } from "../platform/start-error";
import { isCommonPassword } from "../records/members/common-password";
import { hashPassword } from "../records/members/password";

/** Credentials created on an empty database, shown once; null on later starts. */
export type Bootstrapped = {
  adminEmail: string;
  /** Null when set by the operator. */
  adminPassword: string | null;
  managementKey: string | null;
} | null;

/** Arbitrary id of the lock that lets only one of several starting servers create the first organization. */
const BOOTSTRAP_LOCK = 7_316_205;

/**
 * Creates the organization, its default workspace, the owner, the management key and the sandbox on an empty database. The key has the
 * role of an owner, because it belongs to whoever runs the server, who may need it to let an owner in again.
 */
export async function bootstrap(client: Database, settings: Env, now: Date): Promise<Bootstrapped> {
  if ((await client.organization.count()) > 0) return null;
  if (settings.adminPassword !== undefined && isCommonPassword(settings.adminPassword, settings.adminEmail))
    throw new StartError("SIGNALBOX_ADMIN_PASSWORD is too easy to guess. Choose another one");
  const password = settings.adminPassword ?? randomBase62(20);
  const keyText = settings.managementKey ?? newKeyText("management");
  const passwordHash = await hashPassword(password);
  return inTransaction(client, async (db) => {
    await db.$queryRaw`SELECT pg_advisory_xact_lock(${BOOTSTRAP_LOCK})::text`;
    if ((await db.organization.count()) > 0) return null;
    const organizationId = uuidv7(now);
    const workspaceId = uuidv7(now);
    const adminId = newUserId();
    await db.organization.create({ data: { id: organizationId, name: "Organization", createdAt: now } });
    await db.member.create({
      data: {
        id: adminId,
        organizationId,
        email: settings.adminEmail,
        firstName: "Admin",
        role: "owner",
        passwordHash,
        mustChangePassword: settings.adminPassword === undefined,
        createdAt: now,
      },
    });
    await db.workspace.create({
      data: {
        id: workspaceId,
        organizationId,
        name: "Default",
        slug: "default",
        isDefault: true,
        contentLogging: !settings.databaseUrl,
        createdBy: adminId,
        createdAt: now,
      },
    });
    const hash = keyHash(keyText);
    await db.key.create({
      data: {
        id: uuidv7(now),
        organizationId,
        workspaceId,
        creatorUserId: adminId,
        kind: "management",
        role: "owner",
        hash,
        name: "First management key",
        label: keyLabel(keyText),
        createdAt: now,
        secrets: { create: { hash, createdAt: now } },
      },
    });
    await createSandbox(db, organizationId, now);
    return {
      adminEmail: settings.adminEmail,
      adminPassword: settings.adminPassword ? null : password,
      managementKey: settings.managementKey ? null : keyText,
    };
  });
}

/** Inserts the built-in provider and its models (docs/semantics.md#sandbox) as ordinary rows. */
export async function createSandbox(db: Database, organizationId: string, now: Date): Promise<void> {
  const providerId = uuidv7(now);
  await db.provider.create({ data: { id: providerId, organizationId, createdAt: now, ...SANDBOX_PROVIDER } });
  for (const { slug, name, contextLength, prices } of SANDBOX_MODELS) {
    const modelId = uuidv7(now);
    await db.model.create({
      data: {
        id: modelId,
        organizationId,
        slug,
        canonicalSlug: slug,
        name,
        vendor: SANDBOX_PROVIDER.slug,
        vendorSource: "catalogue",
        contextLength,
        createdAt: now,
      },
    });
    await db.endpoint.create({
      data: { id: uuidv7(now), modelId, providerId, upstreamModel: slug, createdAt: now, ...prices },
    });
  }
}
