import "server-only";
import type { AssignmentKind } from "../../../prisma/generated/client";
import type { Database } from "../../platform/database/transaction";
import { nameOf } from "../members/name";
import type { StoredAssignment, Target } from "./assignment-change";

/** The workspace and organization of assignments. */
export interface AssignmentScope {
  organizationId: string;
  workspaceId: string;
}

interface NewAssignment extends StoredAssignment {
  targetId: string;
}

interface Store {
  /** Request field that lists the targets. */
  field: string;
  /** Response field that identifies a target. */
  wireField: "key_hash" | "user_id";
  /** Finds and locks assignable targets by public name or id, in a fixed order to prevent deadlocks. */
  lock: (
    db: Database,
    place: AssignmentScope,
    named: { wireNames?: readonly string[]; ids?: readonly string[] },
  ) => Promise<Target[]>;
  heldBy: (
    db: Database,
    place: AssignmentScope,
    targetIds: readonly string[],
  ) => Promise<Map<string, StoredAssignment>>;
  remove: (db: Database, assignmentIds: readonly string[]) => Promise<unknown>;
  add: (db: Database, place: AssignmentScope, assignments: readonly NewAssignment[]) => Promise<unknown>;
  /** Returns display names, including those of deleted targets. */
  namesOf: (
    db: Database,
    place: AssignmentScope,
    targetIds: readonly string[],
  ) => Promise<(Target & { name: string })[]>;
}

interface Row {
  id: string;
  guardrailId: string;
  assignedBy: string | null;
  createdAt: Date;
}

const toHeld = ({ id, guardrailId, assignedBy, createdAt }: Row): StoredAssignment => ({
  id,
  guardrail_id: guardrailId,
  assigned_by: assignedBy,
  created_at: createdAt.toISOString(),
});

const toRow = (
  { organizationId }: AssignmentScope,
  { id, guardrail_id, assigned_by, created_at }: StoredAssignment,
) => ({
  id,
  organizationId,
  guardrailId: guardrail_id,
  assignedBy: assigned_by,
  createdAt: new Date(created_at),
});

const keys: Store = {
  field: "key_hashes",
  wireField: "key_hash",
  lock: (db, { workspaceId }, { wireNames = [], ids = [] }) => db.$queryRaw<Target[]>`
    SELECT id, hash AS "wireName" FROM keys
    WHERE (hash = ANY(${[...wireNames]}) OR id = ANY(${[...ids]}::uuid[]))
      AND workspace_id = ${workspaceId}::uuid AND kind = 'inference' AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`,
  heldBy: async (db, { organizationId }, targetIds) => {
    const rows = await db.guardrailKeyAssignment.findMany({ where: { organizationId, keyId: { in: [...targetIds] } } });
    return new Map(rows.map((row) => [row.keyId, toHeld(row)]));
  },
  remove: (db, ids) => db.guardrailKeyAssignment.deleteMany({ where: { id: { in: [...ids] } } }),
  add: (db, place, assignments) =>
    db.guardrailKeyAssignment.createMany({
      data: assignments.map((assignment) => ({ ...toRow(place, assignment), keyId: assignment.targetId })),
    }),
  namesOf: async (db, { organizationId }, targetIds) => {
    const rows = await db.key.findMany({
      where: { organizationId, id: { in: [...targetIds] } },
      select: { id: true, hash: true, name: true },
    });
    return rows.map(({ id, hash, name }) => ({ id, wireName: hash, name }));
  },
};

const members: Store = {
  field: "member_user_ids",
  wireField: "user_id",
  lock: (db, { organizationId }, { wireNames = [], ids = [] }) => db.$queryRaw<Target[]>`
    SELECT id, id AS "wireName" FROM members
    WHERE id = ANY(${[...wireNames, ...ids]}) AND organization_id = ${organizationId}::uuid AND deleted_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`,
  heldBy: async (db, { workspaceId }, targetIds) => {
    const rows = await db.guardrailMemberAssignment.findMany({
      where: { workspaceId, userId: { in: [...targetIds] } },
    });
    return new Map(rows.map((row) => [row.userId, toHeld(row)]));
  },
  remove: (db, ids) => db.guardrailMemberAssignment.deleteMany({ where: { id: { in: [...ids] } } }),
  add: (db, place, assignments) =>
    db.guardrailMemberAssignment.createMany({
      data: assignments.map((assignment) => ({
        ...toRow(place, assignment),
        workspaceId: place.workspaceId,
        userId: assignment.targetId,
      })),
    }),
  namesOf: async (db, { organizationId }, targetIds) => {
    const rows = await db.member.findMany({ where: { organizationId, id: { in: [...targetIds] } } });
    return rows.map((member) => ({ id: member.id, wireName: member.id, name: nameOf(member) }));
  },
};

/** Assignment tables of keys and members behind one interface. */
export const ASSIGNMENT_STORES: Readonly<Record<AssignmentKind, Store>> = { keys, members };
