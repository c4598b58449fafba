import "server-only";
import type { WorkloadIdentity as Row } from "../../../prisma/generated/client";
import type { WorkloadIdentity } from "./contract";

export const toWorkloadIdentity = (row: Row, keyHash: string): WorkloadIdentity => ({
  id: row.id,
  key_hash: keyHash,
  name: row.name,
  issuer: row.issuer,
  audience: row.audience,
  claims: row.claims as WorkloadIdentity["claims"],
  jwks: row.jwks as WorkloadIdentity["jwks"],
  lifetime_seconds: row.lifetimeSeconds,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});
