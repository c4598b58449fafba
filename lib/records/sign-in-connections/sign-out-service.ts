import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import type { Result } from "../../platform/http/operation";
import { logger } from "../../platform/logger";
import { sessionOf } from "../session/account-service";
import type { deleteSession } from "../session/contract";
import { openSignOutHint } from "../session/sign-out-hint-rows";
import { setSession } from "../session/start-session-service";
import { SIGN_IN_PATH } from "./addresses";
import { endSessionUrl } from "./oidc-client";
import { clientOf } from "./oidc-service";
import { signOutAddress } from "./saml-service";

/** Ends the session, and returns where the identity provider ends its own. */
export async function signOut(context: Context): Promise<Result<typeof deleteSession>> {
  const { sessionId, userId, userName } = sessionOf(context);
  const sign_out_url = await providerSignOut(context, sessionId);
  await inTransaction(context.db, async (db) => {
    await db.session.deleteMany({ where: { id: sessionId } });
    await recordChange(db, context, {
      action: "session.delete",
      target: { type: "member", id: userId, name: userName },
    });
  });
  setSession(context, null);
  return { deleted: true as const, sign_out_url };
}

/** A provider that can't be reached doesn't keep anybody from signing out here. */
async function providerSignOut(context: Context, sessionId: string): Promise<string | null> {
  const { db, settings, origin } = context;
  const session = await db.session.findUnique({ where: { id: sessionId }, include: { connection: true } });
  if (!session?.connection) return null;
  try {
    const { connection, signOutHint, providerSession } = session;
    const hint = signOutHint === null ? null : openSignOutHint(settings, sessionId, signOutHint);
    if (connection.protocol === "saml")
      return await signOutAddress(context, connection, { hint, session: providerSession });
    return await endSessionUrl(settings, clientOf(settings, connection), hint, `${origin}${SIGN_IN_PATH}`);
  } catch (err) {
    logger().warn({ err }, "the identity provider's sign-out address could not be found");
    return null;
  }
}
