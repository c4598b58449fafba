import "server-only";
import type { LimitSubject } from "../../engine/budgets/vocabulary";
import type { Database } from "../../platform/database/transaction";
import { nameOf } from "../members/name";
import { TAG } from "../tags/vocabulary";

/** A subject as the API shows it. */
export interface NamedSubject {
  /** As stored with a limit: a key's own ID instead of its hash. */
  storedId: string;
  id: string;
  name: string;
}

const alike = (id: string): NamedSubject => ({ storedId: id, id, name: id });

/** Kinds of subjects that are stored by another value than the API's. */
const isOfKeys = (type: LimitSubject) => type === "key" || type === "keys";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Finds subjects by the API's ids; those that don't exist are missing. */
export async function findSubjects(
  db: Database,
  organizationId: string,
  type: LimitSubject,
  ids: readonly string[],
): Promise<NamedSubject[]> {
  const wanted = [...ids];
  if (isOfKeys(type)) {
    const where = { organizationId, hash: { in: wanted }, kind: "inference", deletedAt: null } as const;
    const keys = await db.key.findMany({ where, select: { id: true, hash: true, name: true } });
    return keys.map(({ id, hash, name }) => ({ storedId: id, id: hash, name }));
  }
  switch (type) {
    case "member":
      return namedMembers(db, { organizationId, id: { in: wanted }, deletedAt: null });
    case "workspace":
      return namedWorkspaces(db, { organizationId, id: { in: wanted.filter((id) => UUID.test(id)) }, deletedAt: null });
    case "model": {
      const models = await db.model.findMany({
        where: { organizationId, slug: { in: wanted } },
        select: { slug: true },
      });
      return models.map(({ slug }) => alike(slug));
    }
    case "provider": {
      const providers = await db.provider.findMany({
        where: { organizationId, slug: { in: wanted } },
        select: { slug: true },
      });
      return providers.map(({ slug }) => alike(slug));
    }
    case "tag":
      return wanted.filter((tag) => TAG.test(tag)).map(alike);
    case "organization":
    case "end_user":
      return wanted.filter((id) => !id.includes("\0")).map(alike);
  }
}

/** Names stored subjects, also deleted ones; unknown ones have their ID as a name. */
export async function nameSubjects(
  db: Database,
  organizationId: string,
  stored: readonly { type: LimitSubject; id: string }[],
): Promise<(type: LimitSubject, storedId: string) => NamedSubject> {
  const idsOf = (...types: LimitSubject[]) => [
    ...new Set(stored.filter(({ type, id }) => types.includes(type) && id !== "").map(({ id }) => id)),
  ];
  const [keyIds, memberIds, workspaceIds] = [idsOf("key", "keys"), idsOf("member"), idsOf("workspace")];
  const keys =
    keyIds.length > 0
      ? await db.key.findMany({
          where: { organizationId, id: { in: keyIds } },
          select: { id: true, hash: true, name: true },
        })
      : [];
  const members = memberIds.length > 0 ? await namedMembers(db, { organizationId, id: { in: memberIds } }) : [];
  const workspaces =
    workspaceIds.length > 0 ? await namedWorkspaces(db, { organizationId, id: { in: workspaceIds } }) : [];
  const known = new Map<string, NamedSubject>([
    ...keys.map(({ id, hash, name }) => [id, { storedId: id, id: hash, name }] as const),
    ...[...members, ...workspaces].map((subject) => [subject.storedId, subject] as const),
  ]);
  return (type, storedId) =>
    isOfKeys(type) || type === "member" || type === "workspace"
      ? (known.get(storedId) ?? alike(storedId))
      : alike(storedId);
}

async function namedMembers(
  db: Database,
  where: { organizationId: string; id: { in: string[] }; deletedAt?: null },
): Promise<NamedSubject[]> {
  const rows = await db.member.findMany({
    where,
    select: { id: true, email: true, firstName: true, lastName: true },
  });
  return rows.map((row) => ({ ...alike(row.id), name: nameOf(row) }));
}

async function namedWorkspaces(
  db: Database,
  where: { organizationId: string; id: { in: string[] }; deletedAt?: null },
): Promise<NamedSubject[]> {
  const rows = await db.workspace.findMany({ where, select: { id: true, name: true } });
  return rows.map(({ id, name }) => ({ ...alike(id), name }));
}
