import "server-only";
import type { Organization as OrganizationRow } from "../../../prisma/generated/client";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { json } from "../../platform/database/json";
import { inTransaction } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { lastLimits } from "./embedded-use-service";

const limitsOf = (settings: Env): contract.Limits => ({
  rate_limit_per_minute: settings.rateLimitPerMinute,
  content_reads_per_minute: settings.contentReadsPerMinute,
  max_body_bytes: settings.maxBodyBytes,
  filter_timeout_ms: settings.filterTimeoutMs,
  filter_workers: settings.filterWorkers,
  upstream_connect_timeout_ms: settings.upstreamTimeouts.connect,
  upstream_first_byte_timeout_ms: settings.upstreamTimeouts.firstByte,
  upstream_idle_timeout_ms: settings.upstreamTimeouts.idle,
  allow_private_upstreams: settings.allowPrivateUpstreams,
  zdr_vendors: [...settings.zdrVendors],
});

const fieldsOf = ({ name, budgetThresholds, keySelfService }: OrganizationRow) => ({
  name,
  budget_thresholds: budgetThresholds as number[],
  key_self_service: keySelfService as contract.Organization["key_self_service"],
});

const toOrganization = ({ settings }: Context, row: OrganizationRow): contract.Organization => ({
  id: row.id,
  ...fieldsOf(row),
  created_at: row.createdAt.toISOString(),
  limits: limitsOf(settings),
  database: { kind: settings.databaseUrl ? "postgresql" : "embedded", limits: lastLimits() },
});

export async function get(context: Context): Promise<Result<typeof contract.getOrganization>> {
  return {
    data: toOrganization(
      context,
      await context.db.organization.findUniqueOrThrow({ where: { id: context.caller.organizationId } }),
    ),
  };
}

export async function update(
  context: Context,
  { body }: Input<typeof contract.updateOrganization>,
): Promise<Result<typeof contract.updateOrganization>> {
  const where = { id: context.caller.organizationId };
  return inTransaction(context.db, async (db) => {
    const before = await db.organization.findUniqueOrThrow({ where });
    const row = await db.organization.update({
      where,
      data: {
        name: body.name,
        budgetThresholds: body.budget_thresholds?.toSorted((a, b) => a - b),
        keySelfService: json(body.key_self_service),
      },
    });
    await recordChange(db, context, {
      action: "organization.update",
      target: { type: "organization", id: row.id, name: row.name },
      before: fieldsOf(before),
      after: fieldsOf(row),
    });
    return { data: toOrganization(context, row) };
  });
}
