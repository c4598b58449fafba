import "server-only";
import type { ScimToken as Row } from "../../../prisma/generated/client";
import type { ScimToken } from "./contract";

export const toScimToken = (row: Row): ScimToken => ({
  id: row.id,
  name: row.name,
  label: row.label,
  expires_at: row.expiresAt?.toISOString() ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});

/** Converts a row to its form in the audit log. */
export const toAuditedToken = ({ name, label, expiresAt }: Row) => ({
  name,
  label,
  expires_at: expiresAt?.toISOString() ?? null,
});
