import "server-only";
import type { Database } from "../../platform/database/transaction";
import { nameOf } from "../../records/members/name";
import type { Group } from "./vocabulary";

/** A group's identity in filters, and its name; null for requests without one. */
interface GroupName {
  id: string | null;
  name: string | null;
}

interface Named {
  id: string;
  name: string;
}

/** Returns the names of groups by their values in the log. The default name is the value. */
export async function namesOf(
  db: Database,
  organizationId: string,
  group: Group,
  values: string[],
): Promise<(value: string) => GroupName> {
  const names = await storedNames(db, organizationId, group, values);
  return (value) => names.get(value) ?? (value === "" ? { id: null, name: null } : { id: value, name: value });
}

async function storedNames(
  db: Database,
  organizationId: string,
  group: Group,
  values: string[],
): Promise<Map<string, Named>> {
  const byValue = (rows: readonly (Named & { value: string })[]) => new Map(rows.map((row) => [row.value, row]));
  switch (group) {
    case "key": {
      const rows = await db.key.findMany({
        where: { organizationId, id: { in: values } },
        select: { id: true, hash: true, name: true },
      });
      return byValue(rows.map(({ id, hash, name }) => ({ value: id, id: hash, name })));
    }
    case "member": {
      const rows = await db.member.findMany({
        where: { organizationId, id: { in: values } },
        select: { id: true, firstName: true, lastName: true, email: true },
      });
      return byValue(rows.map((member) => ({ value: member.id, id: member.id, name: nameOf(member) })));
    }
    case "provider": {
      const rows = await db.provider.findMany({
        where: { organizationId, slug: { in: values } },
        select: { slug: true, name: true },
      });
      return byValue(rows.map(({ slug, name }) => ({ value: slug, id: slug, name })));
    }
    case "guardrail": {
      const rows = await db.guardrail.findMany({
        where: { workspace: { organizationId }, id: { in: values } },
        select: { id: true, name: true },
      });
      return byValue(rows.map(({ id, name }) => ({ value: id, id, name })));
    }
    case "workspace": {
      const rows = await db.workspace.findMany({
        where: { organizationId, id: { in: values } },
        select: { id: true, name: true },
      });
      return byValue(rows.map(({ id, name }) => ({ value: id, id, name })));
    }
    case "model":
    case "preset":
    case "end_user":
    case "app":
    case "tag":
    case "status":
    case "protocol":
      return new Map();
  }
}
