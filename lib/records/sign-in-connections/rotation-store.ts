import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { openSignOutHint, sealSignOutHint } from "../session/sign-out-hint-rows";
import { resealed } from "./secret-rows";

/** Re-encrypts the secrets of connections, and sign-out hints of sessions, with the current secret after a rotation. Idempotent. */
export async function resealSignIn(db: Database, settings: Env): Promise<void> {
  if (settings.previousSecretKeys.length === 0) return;
  for (const row of await db.signInConnection.findMany())
    await db.signInConnection.updateMany({
      where: {
        id: row.id,
        clientSecretCiphertext: row.clientSecretCiphertext,
        spKeyCiphertext: row.spKeyCiphertext,
      },
      data: resealed(settings, row),
    });
  for (const { id, signOutHint } of await db.session.findMany({ where: { signOutHint: { not: null } } }))
    if (signOutHint !== null)
      await db.session.updateMany({
        where: { id, signOutHint },
        data: { signOutHint: sealSignOutHint(settings, id, openSignOutHint(settings, id, signOutHint)) },
      });
}
