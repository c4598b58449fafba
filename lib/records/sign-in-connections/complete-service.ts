import "server-only";
import type { Member as MemberRow, SignInConnection as Row } from "../../../prisma/generated/client";
import { recordChanges, type Change } from "../../platform/audit/store";
import type { PublicContext } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { newUserId } from "../../platform/ids";
import { toProfile } from "../members/rows";
import { startSession } from "../session/start-session-service";
import type { VerifiedIdentity } from "./identity";
import { ProviderProblem, TOO_MANY_GROUPS } from "./problem";
import { changesProvider, groupChanges, joinOf, sessionEnd, type Join } from "./rules";
import { lockOrganization } from "../organization/lock-store";

/** A verified identity, and what names its session to the provider at sign-out. */
export interface Verified {
  identity: VerifiedIdentity;
  signOutHint: string | null;
  /** When the person proved their identity to the provider; null: it doesn't say. */
  authenticatedAt: Date | null;
}

/**
 * Locks the organization, and reads the connection of an answer again: an admin may have changed it since. Refuses the answer of a
 * connection that is off, or of another provider.
 */
export async function lockConnection(db: Database, before: Row): Promise<Row> {
  await lockOrganization(db, before.organizationId);
  const row = await db.signInConnection.findUnique({ where: { id: before.id } });
  if (!row?.enabled || changesProvider(before, row))
    throw new ProviderProblem("The connection was turned off or changed during the sign-in", "disabled");
  return row;
}

/** Filters the groups whose members are those that a provider names. */
const followsClaims = ({ organizationId }: Row) => ({
  organizationId,
  source: "manual" as const,
  claimValue: { not: null },
});

/** Decides what a sign-in of an identity does. Without the person's groups, they would lose what these give. */
export async function joinIn(db: Database, connection: Row, identity: VerifiedIdentity): Promise<Join<MemberRow>> {
  const { id: connectionId } = connection;
  const known = await db.memberIdentity.findUnique({
    where: { connectionId_subject: { connectionId, subject: identity.subject } },
    include: { member: true },
  });
  // A removed member may come back as a new one.
  const member = known?.member.deletedAt === null ? known.member : null;
  const sameAddress =
    identity.email === null ? null : await db.member.findFirst({ where: { email: identity.email, deletedAt: null } });
  const join = joinOf(connection, identity, member, sameAddress);
  if (join.kind === "refused" || identity.groups !== null) return join;
  const isFollowed = (await db.group.count({ where: followsClaims(connection) })) > 0;
  return isFollowed ? { kind: "refused", refusal: "provider", reason: TOO_MANY_GROUPS } : join;
}

/** Signs a person in: finds, links or creates their member, updates names and groups, and starts a session. */
export async function completeSignIn(context: PublicContext, begun: Row, verified: Verified): Promise<void> {
  const { now } = context;
  const { identity } = verified;
  await inTransaction(context.db, async (db) => {
    const connection = await lockConnection(db, begun);
    const join = await joinIn(db, connection, identity);
    if (join.kind === "refused") throw new ProviderProblem(join.reason, join.refusal);
    const changes: Change[] = [];
    const member = await memberOf(db, connection, identity, join, now, changes);
    await linkIdentity(db, connection, identity, member, now);
    await followGroups(db, connection, identity, member, changes);
    const endsAt = sessionEnd(identity, connection.maxSessionHours, now);
    if (endsAt !== null && endsAt <= now) throw new ProviderProblem("The provider's session has already ended");
    const caller = await startSession(
      db,
      context,
      member,
      { action: "session.create", after: { connection: connection.name, join: join.kind } },
      {
        connectionId: connection.id,
        subject: identity.subject,
        session: identity.providerSession,
        signOutHint: verified.signOutHint,
        endsAt,
        authenticatedAt: verified.authenticatedAt,
      },
    );
    await recordChanges(db, { ...context, caller }, changes);
  });
}

const targetOf = ({ id, email }: MemberRow) => ({ type: "member", id, name: email });

type Accepted = Exclude<Join<MemberRow>, { kind: "refused" }>;

/** Creates the member, or updates the one that was found. */
async function memberOf(
  db: Database,
  connection: Row,
  { firstName, lastName }: VerifiedIdentity,
  join: Accepted,
  now: Date,
  changes: Change[],
): Promise<MemberRow> {
  const { organizationId, defaultRole, managesNames } = connection;
  if (join.kind === "creates") {
    const created = await db.member.create({
      data: {
        id: newUserId(),
        organizationId,
        email: join.email,
        firstName,
        lastName,
        role: defaultRole,
        providerSignInAt: now,
        createdAt: now,
      },
    });
    changes.push({ action: "member.create", target: targetOf(created), after: toProfile(created) });
    return created;
  }
  const before = join.member;
  const names = {
    firstName: (managesNames ? firstName : null) ?? before.firstName,
    lastName: (managesNames ? lastName : null) ?? before.lastName,
  };
  const isRenamed = names.firstName !== before.firstName || names.lastName !== before.lastName;
  const member = await db.member.update({
    where: { id: before.id },
    data: { providerSignInAt: now, ...(isRenamed && { ...names, updatedAt: now }) },
  });
  if (isRenamed)
    changes.push({
      action: "member.update",
      target: targetOf(member),
      before: toProfile(before),
      after: toProfile(member),
    });
  if (join.kind === "links")
    changes.push({ action: "member.link_identity", target: targetOf(member), after: { connection: connection.name } });
  return member;
}

async function linkIdentity(
  db: Database,
  { id: connectionId }: Row,
  { subject, email }: VerifiedIdentity,
  { id: memberId }: MemberRow,
  now: Date,
): Promise<void> {
  await db.memberIdentity.upsert({
    where: { connectionId_subject: { connectionId, subject } },
    create: { connectionId, subject, memberId, email, createdAt: now, lastSignInAt: now },
    update: { memberId, email, lastSignInAt: now },
  });
}

/** Makes the member's groups with a claim value those that the provider names. */
async function followGroups(
  db: Database,
  connection: Row,
  { groups: claimed }: VerifiedIdentity,
  member: MemberRow,
  changes: Change[],
): Promise<void> {
  if (claimed === null) return;
  const groups = await db.group.findMany({
    where: followsClaims(connection),
    select: { id: true, name: true, claimValue: true },
    orderBy: { name: "asc" },
  });
  if (groups.length === 0) return;
  const ids = groups.map(({ id }) => id);
  const rows = await db.groupMember.findMany({ where: { memberId: member.id, groupId: { in: ids } } });
  const current = new Set(rows.map(({ groupId }) => groupId));
  const { joined, left } = groupChanges(groups, current, claimed);
  if (joined.length === 0 && left.length === 0) return;
  await db.groupMember.deleteMany({ where: { memberId: member.id, groupId: { in: left.map(({ id }) => id) } } });
  await db.groupMember.createMany({ data: joined.map(({ id }) => ({ groupId: id, memberId: member.id })) });
  changes.push({
    action: "member.follow_groups",
    target: targetOf(member),
    after: {
      connection: connection.name,
      joined: joined.map((group) => group.name),
      left: left.map((group) => group.name),
    },
  });
}
