import "server-only";
import type { Member as MemberRow } from "../../../prisma/generated/client";
import { ApiError } from "../../platform/api-error";
import { recordChange, type Change } from "../../platform/audit/store";
import type { Caller, PublicContext } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { uuidv7 } from "../../platform/ids";
import { randomBase62, sha256 } from "../../platform/secrets";
import { findSession, SESSION_LIFETIME_MS, TOKEN_LENGTH } from "../members/session-store";
import { setCookie } from "./browser-cookies";
import { sealSignOutHint } from "./sign-out-hint-rows";

/** The session at an identity provider that a session comes from. */
export interface ProviderSession {
  connectionId: string;
  subject: string;
  session: string | null;
  signOutHint: string | null;
  endsAt: Date | null;
  /** When the member proved their identity there; null: it doesn't say. */
  authenticatedAt: Date | null;
}

/** Returns since when an identity counts as proved by a provider. Without a time, which may be long ago, it never is. */
export const provedAt = ({ authenticatedAt }: Pick<ProviderSession, "authenticatedAt">, now: Date): Date =>
  new Date(Math.max(0, Math.min(authenticatedAt?.getTime() ?? 0, now.getTime())));

/** Creates a session with a new token, and ends the browser's previous session, whoever its member was. */
export async function startSession(
  db: Database,
  context: PublicContext,
  member: MemberRow,
  change: Pick<Change, "action" | "after">,
  provider: ProviderSession | null = null,
): Promise<Extract<Caller, { kind: "session" }>> {
  const { now, ip, client, sessionToken, settings } = context;
  const token = randomBase62(TOKEN_LENGTH);
  const id = uuidv7(now);
  const expiresAt = new Date(Math.min(now.getTime() + SESSION_LIFETIME_MS, provider?.endsAt?.getTime() ?? Infinity));
  if (sessionToken !== null) await db.session.deleteMany({ where: { tokenHash: sha256(sessionToken) } });
  await db.session.deleteMany({ where: { memberId: member.id, expiresAt: { lte: now } } });
  await db.session.create({
    data: {
      tokenHash: sha256(token),
      id,
      memberId: member.id,
      createdAt: now,
      lastSeenAt: now,
      authenticatedAt: provider ? provedAt(provider, now) : now,
      expiresAt,
      ip,
      userAgent: client.userAgent,
      ...(provider && {
        connectionId: provider.connectionId,
        providerSession: provider.session,
        providerSubject: provider.subject,
        signOutHint: provider.signOutHint === null ? null : sealSignOutHint(settings, id, provider.signOutHint),
      }),
    },
  });
  const session = await findSession(db, token, now);
  if (!session) throw new ApiError(401, "Invalid email or password");
  await recordChange(
    db,
    { ...context, caller: session.caller },
    { ...change, target: { type: "member", id: member.id, name: member.email } },
  );
  setSession(context, token);
  return session.caller;
}

/** Stores the session's token, or clears it for null. */
export const setSession = ({ headers, origin }: PublicContext, token: string | null) =>
  headers.append("set-cookie", setCookie("session", token, SESSION_LIFETIME_MS / 1000, origin.startsWith("https:")));
