import "server-only";
import type { Member, Prisma } from "../../../prisma/generated/client";
import { notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { ScimContext } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { newUserId } from "../../platform/ids";
import { setActive } from "../members/activation-service";
import { toProfile } from "../members/rows";
import { removeMember } from "../members/service";
import { living, lockMember, target } from "../members/store";
import { projection, type Projection } from "./attributes";
import type * as contract from "./contract";
import { userFilter } from "./filter-rows";
import { changedAttributes, stepsOfPatch } from "./patch";
import {
  assertVersion,
  entityTagOf,
  pageOf,
  toList,
  toUser,
  userUrl,
  userVersion,
  type MemberWithGroups,
} from "./rows";
import { scimError } from "./scim-error";
import { changedUserFields, namesOf, userFields, type UserFields } from "./user-fields";
import { lockOrganization } from "../organization/lock-store";

/** The groups of a member that directories see, which are part of the member's version. */
const withGroups = {
  groups: {
    where: { group: { source: "scim" } },
    orderBy: { groupId: "asc" },
    select: { group: { select: { id: true, name: true } } },
  },
} as const satisfies Prisma.MemberInclude;

/** Loads a member as directories see them. */
async function load(db: Database, context: ScimContext, id: string): Promise<MemberWithGroups> {
  const row = await db.member.findFirst({ where: { ...living(context), id }, include: withGroups });
  if (!row) throw notFound();
  return row;
}

/** Throws a 412 unless the request is about the current version of a member. */
async function assertCurrent(db: Database, context: ScimContext, id: string): Promise<void> {
  if (context.ifMatch !== null) assertVersion(context, userVersion(await load(db, context, id)));
}

/** Sets the headers of a single user, and converts it. */
async function respond(db: Database, context: ScimContext, id: string, projected: Projection) {
  const row = await load(db, context, id);
  context.headers.set("etag", entityTagOf(userVersion(row)));
  return projected.of(toUser(context, row));
}

export async function list(
  context: ScimContext,
  { query }: Input<typeof contract.listUsers>,
): Promise<Result<typeof contract.listUsers>> {
  const { db } = context;
  const projected = projection("User", query);
  const where = { AND: [living(context), userFilter(query.filter)] };
  const { startIndex, skip, take } = pageOf(query);
  const rows =
    take === 0
      ? []
      : await db.member.findMany({
          where,
          include: withGroups,
          orderBy: [{ createdAt: "asc" }, { id: "asc" }],
          skip,
          take,
        });
  const total = await db.member.count({ where });
  return toList(
    rows.map((row) => projected.of(toUser(context, row))),
    total,
    startIndex,
  );
}

export async function get(
  context: ScimContext,
  { params, query }: Input<typeof contract.getUser>,
): Promise<Result<typeof contract.getUser>> {
  return respond(context.db, context, params.id, projection("User", query));
}

/** An address belongs to one living member of the installation. */
async function assertFree(db: Database, email: string): Promise<void> {
  if (await db.member.findFirst({ where: { email, deletedAt: null }, select: { id: true } }))
    throw scimError(409, "uniqueness", `A user with the userName ${email} already exists`);
}

export async function create(
  context: ScimContext,
  { query, body }: Input<typeof contract.createUser>,
): Promise<Result<typeof contract.createUser>> {
  const { caller, now } = context;
  const fields = userFields(body);
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    await assertFree(db, fields.email);
    const row = await db.member.create({
      data: {
        id: newUserId(),
        organizationId: caller.organizationId,
        email: fields.email,
        ...namesOf(fields, fields.email, { firstName: null, lastName: null }),
        externalId: fields.externalId ?? null,
        provisionedAt: now,
        deactivatedAt: fields.isActive === false ? now : null,
        createdAt: now,
      },
    });
    await recordChange(db, context, { action: "member.create", target: target(row), after: toProfile(row) });
    context.headers.set("location", userUrl(context, row.id));
    return respond(db, context, row.id, projection("User", query));
  });
}

/** Writes what a directory says about a locked member, who is the directory's from then on. */
async function change(db: Database, context: ScimContext, before: Member, fields: UserFields): Promise<void> {
  const { now } = context;
  const { email = before.email } = fields;
  const data = {
    email,
    ...namesOf(fields, email, before),
    externalId: fields.externalId === undefined ? before.externalId : fields.externalId,
  };
  const isChanged =
    before.provisionedAt === null ||
    (Object.keys(data) as (keyof typeof data)[]).some((name) => data[name] !== before[name]);
  let row = before;
  if (isChanged) {
    if (email !== before.email) {
      await assertFree(db, email);
      // A link that was sent to the previous address would give access to its holder.
      await db.invitation.deleteMany({ where: { memberId: before.id } });
    }
    row = await db.member.update({
      where: { id: before.id },
      data: { ...data, provisionedAt: before.provisionedAt ?? now, updatedAt: now },
    });
    await recordChange(db, context, {
      action: "member.update",
      target: target(row),
      before: toProfile(before),
      after: toProfile(row),
    });
  }
  if (fields.isActive !== undefined) await setActive(db, context, row, fields.isActive);
}

export async function replace(
  context: ScimContext,
  { params, query, body }: Input<typeof contract.replaceUser>,
): Promise<Result<typeof contract.replaceUser>> {
  const fields = userFields(body);
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.id);
    await assertCurrent(db, context, params.id);
    await change(db, context, before, fields);
    return respond(db, context, params.id, projection("User", query));
  });
}

export async function patch(
  context: ScimContext,
  { params, query, body }: Input<typeof contract.patchUser>,
): Promise<Result<typeof contract.patchUser>> {
  const steps = stepsOfPatch("User", body.Operations);
  const fields = changedUserFields(changedAttributes(steps));
  return inTransaction(context.db, async (db) => {
    const before = await lockMember(db, context, params.id);
    await assertCurrent(db, context, params.id);
    if (steps.length > 0) await change(db, context, before, fields);
    return respond(db, context, params.id, projection("User", query));
  });
}

export async function remove(context: ScimContext, { params }: Input<typeof contract.deleteUser>): Promise<undefined> {
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    await assertCurrent(db, context, params.id);
    await removeMember({ ...context, db }, params.id);
    return undefined;
  });
}
