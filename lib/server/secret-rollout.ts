import "server-only";
import { randomUUID } from "node:crypto";
import type { Database } from "../platform/database/transaction";
import type { Env } from "../platform/env";
import { resealAnswers } from "../platform/http/idempotency-store";
import { logger } from "../platform/logger";
import { assertReadable } from "../platform/secret-rollout/readable-store";
import { forgetInstance, reportInstance } from "../platform/secret-rollout/store";
import { secretKeyId, writeWith } from "../platform/secrets";
import { resealAlerts } from "../features/alerts/rotation-store";
import { contentKey, resealContentKeys } from "../records/contents/keys-store";
import { resealExports } from "../features/exports/rotation-store";
import { resealCheckSecrets } from "../records/guardrails/rotation-store";
import { resealNotifications } from "../records/notifications/rotation-store";
import { resealCredentials } from "../records/providers/rotation-store";
import { resealTotp } from "../records/session/factors-store";
import { resealSignIn } from "../records/sign-in-connections/rotation-store";
import { resealWebhooks } from "../records/webhooks/rotation-store";

const REPORT_EVERY_MS = 15_000;
const RESEALED = [
  resealCredentials,
  resealWebhooks,
  resealAlerts,
  resealNotifications,
  resealCheckSecrets,
  resealTotp,
  resealSignIn,
  resealContentKeys,
  resealExports,
  resealAnswers,
];

/**
 * Encrypts with the newest secret that every instance on the database can read, and re-encrypts stored values when that secret
 * changes. Fails if stored values can't be read. Returns a function that stops this.
 */
export async function startSecretRollout(db: Database, settings: Env): Promise<() => Promise<void>> {
  const id = randomUUID();
  const secretKeys: [Buffer, ...Buffer[]] = [settings.secretKey, ...settings.previousSecretKeys];
  if (!settings.allowsUnreadableSecrets) await assertReadable(db, secretKeys);
  let writer: string | null = null;
  let isSwitching = false;
  const report = async () => {
    const chosen = await reportInstance(db, id, secretKeys);
    if (chosen === writer && !isSwitching) return;
    // A request that began before a change may write after it: the next report re-encrypts once more.
    isSwitching = writer !== null && chosen !== writer;
    writer = chosen;
    writeWith(chosen);
    if (secretKeys.length === 1) return;
    const current = secretKeys.find((secretKey) => secretKeyId(secretKey) === chosen) ?? secretKeys[0];
    const now = { ...settings, secretKey: current, previousSecretKeys: secretKeys.filter((key) => key !== current) };
    for (const reseal of RESEALED) await reseal(db, now);
    if (isSwitching) return;
    logger().info(
      chosen === secretKeyId(secretKeys[0])
        ? "stored secrets are encrypted with SIGNALBOX_SECRET_KEY; SIGNALBOX_PREVIOUS_SECRET_KEYS can be removed once every instance logs this"
        : "another instance can't read SIGNALBOX_SECRET_KEY yet: a previous secret key is used until it can",
    );
  };
  // The embedded database belongs to one process, so other listed processes have ended.
  if (settings.databaseUrl === undefined) await db.instance.deleteMany();
  await report();
  const timer = setInterval(() => {
    report().catch((err: unknown) => {
      logger().error({ err }, "this instance could not report its secret keys");
    });
  }, REPORT_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await forgetInstance(db, id);
  };
}

/** Stores an encrypted value for every organization, so that a start with another secret is always detected. */
export async function bindToSecret(db: Database, settings: Env): Promise<void> {
  const organizations = await db.organization.findMany({ select: { id: true }, where: { contentKey: null } });
  for (const { id } of organizations) await contentKey(db, settings, id);
}
