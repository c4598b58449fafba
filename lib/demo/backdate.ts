import type { Database } from "../platform/database/transaction";

const WORKSPACES = "(SELECT id FROM workspaces WHERE organization_id = $1::uuid)";
const IN_WORKSPACE = `workspace_id IN ${WORKSPACES}`;
const IN_ORGANIZATION = "organization_id = $1::uuid";

/** Tables of the objects that the demo creates, with SQL for those of the organization, and their times. */
const TABLES = [
  ["members", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["workspaces", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["providers", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["models", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["keys", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["guardrails", IN_WORKSPACE, ["created_at", "updated_at"]],
  ["guardrail_revisions", `guardrail_id IN (SELECT id FROM guardrails WHERE ${IN_WORKSPACE})`, ["created_at"]],
  ["guardrail_key_assignments", IN_ORGANIZATION, ["created_at"]],
  ["guardrail_member_assignments", IN_ORGANIZATION, ["created_at"]],
  ["custom_roles", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["groups", IN_ORGANIZATION, ["created_at", "updated_at"]],
  ["limits", IN_ORGANIZATION, ["counts_since", "carries_since", "created_at", "updated_at"]],
  ["presets", IN_WORKSPACE, ["created_at", "updated_at"]],
  ["preset_versions", `preset_id IN (SELECT id FROM presets WHERE ${IN_WORKSPACE})`, ["created_at"]],
  ["audit_events", IN_ORGANIZATION, ["created_at"]],
] as const;

interface Period {
  from: Date;
  to: Date;
}

/** Moves what an organization created in one period to another period, in the same order. */
export async function backdate(db: Database, organizationId: string, created: Period, moved: Period): Promise<void> {
  const stretch = (moved.to.getTime() - moved.from.getTime()) / (created.to.getTime() - created.from.getTime());
  for (const [table, owned, columns] of TABLES)
    for (const column of columns)
      await db.$executeRawUnsafe(
        `UPDATE ${table} SET ${column} = $4::timestamptz + (${column} - $2::timestamptz) * $5::float8
         WHERE ${owned} AND ${column} >= $2::timestamptz AND ${column} < $3::timestamptz`,
        organizationId,
        created.from,
        created.to,
        moved.from,
        stretch,
      );
}
