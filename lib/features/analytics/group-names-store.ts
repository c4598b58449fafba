import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Group } from "./vocabulary";

/** The identity of a group in filters, and its name. */
export interface GroupName {
  id: string;
  name: string;
}

/** Returns the names of groups by their values in the log; values that are names themselves are missing. */
export async function namesOf(
  db: Database,
  organizationId: string,
  group: Group,
  values: string[],
): Promise<Map<string, GroupName>> {
  const byValue = (rows: readonly (GroupName & { value: string })[]) => new Map(rows.map((row) => [row.value, row]));
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
      return byValue(
        rows.map(({ id, firstName, lastName, email }) => ({
          value: id,
          id,
          name: [firstName, lastName].filter(Boolean).join(" ") || email,
        })),
      );
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
    case "status":
    case "protocol":
      return new Map();
  }
}
