import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import type { Caller } from "../../platform/context";
import { cached, type Loaded } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";
import { sha256 } from "../../platform/secrets";
import { grantsOf, type HeldRole } from "../roles/grants";
import { heldRoles, rolesOfMember } from "../roles/held-store";
import { nameOf } from "./name";

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
  /** Time of the member's last proof of identity. */
  authenticatedAt: Date;
}

interface SessionRow {
  id: string;
  last_seen_at: Date;
  authenticated_at: Date;
  expires_at: Date;
  member_id: string;
  organization_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  must_change_password: boolean;
  workspace_id: string;
  held: HeldRole[];
}

interface StoredSession {
  found: FoundSession;
  expiresAt: Date;
  /** Advances with the requests to this process. */
  lastSeenAt: Date;
}

/** Finds a session by its token; null when it is unknown, expired or idle, or its member was removed or deactivated. */
export async function findSession(db: Database, token: string, now: Date): Promise<FoundSession | null> {
  const hash = sha256(token);
  const session = await cached(db, ["session", hash], () => loadSession(db, hash));
  if (!session || session.expiresAt <= now) return null;
  if (now.getTime() - session.lastSeenAt.getTime() <= TOUCH_EVERY_MS) return session.found;
  if (!(await touch(db, session.found.caller.sessionId, now))) return null;
  session.lastSeenAt = now;
  return session.found;
}

async function loadSession(db: Database, hash: string): Promise<Loaded<StoredSession> | null> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    SELECT sessions.id, sessions.last_seen_at, sessions.authenticated_at, sessions.expires_at,
      members.id AS member_id, members.organization_id, members.email, members.first_name,
      members.last_name, members.must_change_password AND sessions.connection_id IS NULL AS must_change_password, workspaces.id AS workspace_id,
      ${heldRoles(rolesOfMember(Prisma.sql`members.id`))} AS held
    FROM sessions
    JOIN members ON members.id = sessions.member_id AND members.deleted_at IS NULL AND members.deactivated_at IS NULL
    JOIN workspaces ON workspaces.organization_id = members.organization_id AND workspaces.is_default
    WHERE sessions.token_hash = ${hash}`;
  if (!row) return null;
  const { organization_id: organizationId, expires_at: expiresAt, last_seen_at: lastSeenAt } = row;
  const found: FoundSession = {
    caller: {
      kind: "session",
      sessionId: row.id,
      organizationId,
      workspaceId: row.workspace_id,
      userId: row.member_id,
      userName: nameOf({ firstName: row.first_name, lastName: row.last_name, email: row.email }),
      grants: grantsOf(row.held),
    },
    mustChangePassword: row.must_change_password,
    authenticatedAt: row.authenticated_at,
  };
  return { organizationId, value: { found, expiresAt, lastSeenAt } };
}

/**
 * Records a request of a session. Returns false when the session has ended, or has been idle for too long in every
 * process.
 */
async function touch(db: Database, id: string, now: Date): Promise<boolean> {
  const { count } = await db.session.updateMany({ where: { id, ...activeSessions(now) }, data: { lastSeenAt: now } });
  return count > 0;
}
