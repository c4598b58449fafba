import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { invalid, lacksPermission, type Issue } from "../../platform/api-error";
import type { Context } from "../../platform/context";
import type { Database } from "../../platform/database/transaction";
import { holds, type Grants } from "../../platform/grants";
import { uuidv7 } from "../../platform/ids";
import type { Permission } from "../../platform/permissions";
import type { RoleReference, WorkspaceRole } from "./contract";
import { firstMissing, grantsOf, type HeldRole } from "./grants";
import { heldRoles, rolesOfGroup, rolesOfKey, rolesOfMember } from "./held-store";
import { toRoleColumns } from "./rows";
import { isBuiltIn } from "./vocabulary";

/** Whoever gets roles: one of these. */
export type Subject = { memberId: string } | { groupId: string } | { keyId: string };

/** Throws a 403 that names a permission of these grants that the caller lacks: nobody gives more than they have. */
export function assertCovers({ caller }: Pick<Context, "caller">, given: Grants): void {
  const missing = firstMissing(caller, given);
  if (missing !== null) throw lacksPermission(missing, ", which this role has");
}

/** Throws a 403 unless the caller has the permission for the organization. */
export function assertHolds({ caller }: Context, permission: Permission): void {
  if (!holds(caller, permission)) throw lacksPermission(permission);
}

function rolesOf(subject: Subject): Prisma.Sql {
  if ("memberId" in subject) return rolesOfMember(Prisma.sql`${subject.memberId}`);
  if ("groupId" in subject) return rolesOfGroup(Prisma.sql`${subject.groupId}::uuid`);
  return rolesOfKey(Prisma.sql`${subject.keyId}::uuid`);
}

/** Loads what a member, group or management key of the organization may do. */
export async function loadGrants(db: Database, subject: Subject): Promise<Grants> {
  const [row] = await db.$queryRaw<{ held: HeldRole[] }[]>`SELECT ${heldRoles(rolesOf(subject))} AS held`;
  return grantsOf(row?.held ?? []);
}

interface Given {
  role?: RoleReference | null | undefined;
  workspace_roles?: readonly WorkspaceRole[] | undefined;
}

/** Throws a 400 for unknown roles and workspaces, and a 403 for a role with a permission that the caller lacks. */
export async function assertAssignable(db: Database, context: Context, given: Given): Promise<void> {
  const { organizationId } = context.caller;
  const { role = null, workspace_roles: inWorkspaces = [] } = given;
  const references = [...(role === null ? [] : [role]), ...inWorkspaces.map((one) => one.role)];
  const custom = await db.customRole.findMany({
    where: { organizationId, id: { in: references.filter((reference) => !isBuiltIn(reference)) } },
  });
  const workspaces = await db.workspace.findMany({
    where: { organizationId, deletedAt: null, id: { in: inWorkspaces.map(({ workspace_id }) => workspace_id) } },
    select: { id: true },
  });
  const permissions = new Map(custom.map((row) => [row.id, row.permissions]));
  const known = new Set(workspaces.map(({ id }) => id));
  const roleIssues = (reference: RoleReference, path: Issue["path"]): Issue[] =>
    isBuiltIn(reference) || permissions.has(reference)
      ? []
      : [{ path, message: "is not a role of the organization", code: "custom" }];
  const issues = [
    ...(role === null ? [] : roleIssues(role, ["role"])),
    ...inWorkspaces.flatMap((one, index) => [
      ...(known.has(one.workspace_id)
        ? []
        : [
            {
              path: ["workspace_roles", index, "workspace_id"],
              message: "is not a workspace of the organization",
              code: "custom",
            },
          ]),
      ...roleIssues(one.role, ["workspace_roles", index, "role"]),
    ]),
  ];
  if (issues.length > 0) throw invalid(issues);
  const held = (reference: RoleReference, workspace: string | null): HeldRole => ({
    role: isBuiltIn(reference) ? toRoleColumns(reference).role : null,
    permissions: permissions.get(reference) ?? null,
    workspace,
  });
  assertCovers(
    context,
    grantsOf([
      ...(role === null ? [] : [held(role, null)]),
      ...inWorkspaces.map((one) => held(one.role, one.workspace_id)),
    ]),
  );
}

/** Replaces the workspace roles of a subject. */
export async function setWorkspaceRoles(
  db: Database,
  { caller, now }: Context,
  subject: Subject,
  roles: readonly WorkspaceRole[] | undefined,
): Promise<void> {
  if (roles === undefined) return;
  const { organizationId } = caller;
  await db.workspaceRole.deleteMany({ where: { organizationId, ...subject } });
  await db.workspaceRole.createMany({
    data: roles.map(({ workspace_id: workspaceId, role }) => ({
      id: uuidv7(now),
      organizationId,
      workspaceId,
      ...subject,
      ...toRoleColumns(role),
      createdAt: now,
    })),
  });
}
