import "server-only";
import type { Caller } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { sha256 } from "../../platform/secrets";

/** Length of a session's token. */
export const TOKEN_LENGTH = 43;

/** Session lifetime: 14 days after sign-in, or 24 hours without a request. */
export const SESSION_LIFETIME_MS = 14 * 24 * 60 * 60 * 1000;
const IDLE_MS = 24 * 60 * 60 * 1000;
const TOUCH_EVERY_MS = 5 * 60 * 1000;

/** Filters active sessions. */
export const activeSessions = (now: Date) => ({
  expiresAt: { gt: now },
  lastSeenAt: { gte: new Date(now.getTime() - IDLE_MS) },
});

export interface FoundSession {
  caller: Extract<Caller, { kind: "session" }>;
  mustChangePassword: boolean;
  /** Time at which the member last proved their identity. */
  authenticatedAt: Date;
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
    authenticatedAt: session.authenticatedAt,
  };
}
