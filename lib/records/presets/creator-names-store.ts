import "server-only";
import type { Context } from "../../platform/context";
import { nameSql } from "../members/name-store";

/** Loads the display names of version creators, members and keys, by id. */
export async function creatorNames({ caller, db }: Context, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.$queryRaw<{ id: string; name: string }[]>`
    SELECT id, ${nameSql("members")} AS name FROM members
    WHERE organization_id = ${caller.organizationId}::uuid AND id = ANY(${ids}::text[])
    UNION ALL
    SELECT id::text, name FROM keys WHERE organization_id = ${caller.organizationId}::uuid AND id::text = ANY(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
