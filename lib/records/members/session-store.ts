import "server-only";
import type { Caller } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { sha256 } from "../../platform/secrets";

const COOKIE = "signalbox_session";
export const TOKEN_LENGTH = 43;
const TOKEN_FORM = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`);

/** Session lifetime: 14 days after sign-in, or 24 hours without a request. */
export const SESSION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;
const IDLE_MS = 24 * 60 * 60 * 1000;
const TOUCH_EVERY_MS = 5 * 60 * 1000;

/** Returns the session token of a `Cookie` header, or null. */
export function sessionToken(cookieHeader: string | null): string | null {
  const pair = cookieHeader?.split(/; */).find((part) => part.startsWith(`${COOKIE}=`));
  const token = pair?.slice(COOKIE.length + 1);
  return token && TOKEN_FORM.test(token) ? token : null;
}

/** Returns the `Set-Cookie` value that stores the token, or clears it with null. */
export function sessionCookie(token: string | null, isHttps: boolean): string {
  const age = token === null ? 0 : SESSION_LIFETIME_MS / 1000;
  return `${COOKIE}=${token ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
}

/** Filters active sessions. */
export const activeSessions = (now: Date) => ({
  expiresAt: { gt: now },
  lastSeenAt: { gte: new Date(now.getTime() - IDLE_MS) },
});

interface FoundSession {
  caller: Extract<Caller, { kind: "session" }>;
  mustChangePassword: boolean;
}

/** Finds a session by its token; null when it is unknown, expired or idle, or its member was removed. */
export async function findSession(db: Database, token: string, now: Date): Promise<FoundSession | null> {
  const session = await db.session.findUnique({
    where: { tokenHash: sha256(token) },
    include: {
      member: {
        include: { organization: { include: { workspaces: { where: { isDefault: true }, select: { id: true } } } } },
      },
    },
  });
  const idle = session ? now.getTime() - session.lastSeenAt.getTime() : 0;
  if (!session || session.expiresAt <= now || idle > IDLE_MS || session.member.deletedAt) return null;
  if (idle > TOUCH_EVERY_MS) await db.session.updateMany({ where: { id: session.id }, data: { lastSeenAt: now } });
  const { member } = session;
  const workspaceId = member.organization.workspaces[0]?.id;
  if (!workspaceId) return null;
  return {
    caller: {
      kind: "session",
      role: member.role,
      sessionId: session.id,
      organizationId: member.organizationId,
      workspaceId,
      userId: member.id,
      userName: [member.firstName, member.lastName].filter(Boolean).join(" ") || member.email,
    },
    mustChangePassword: member.mustChangePassword,
  };
}
