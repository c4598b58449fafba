import "server-only";
import type { Context } from "../../platform/context";
import { forbidden } from "../../platform/api-error";
import type { Result } from "../../platform/http/operation";
import type { getCurrentKey } from "./contract";
import { loadLayers } from "../guardrails/layers-store";
import { DATA_REGIONS } from "../../engine/vocabulary";
import { dataRegionsOf } from "../../engine/policy/routing";
import { keyParts, toKey } from "./rows";
import { layersByMode } from "../../engine/policy/layers";
import { usageOf } from "./usage-store";

/**
 * Returns the key that authenticates the request; console sessions have none. Fields of the public API that Signalbox
 * doesn't have get neutral values.
 */
export async function current({ caller, db, now, settings }: Context): Promise<Result<typeof getCurrentKey>> {
  if (caller.kind !== "key") throw forbidden("Only API keys can perform this operation");
  const row = await db.key.findUniqueOrThrow({ where: { id: caller.keyId }, include: keyParts(now) });
  const isManagement = row.kind === "management";
  return {
    data: {
      ...toKey(row, (await usageOf(db, [row], now))(row)),
      organization_id: row.organizationId,
      is_management_key: isManagement,
      is_provisioning_key: isManagement,
      is_free_tier: false,
      allowed_data_regions: isManagement
        ? [...DATA_REGIONS]
        : dataRegionsOf(layersByMode(await loadLayers(db, caller, settings.zdrVendors, now)).enforced),
      rate_limit: {
        requests: settings.rateLimitPerMinute === 0 ? -1 : settings.rateLimitPerMinute,
        interval: "1m",
        note: settings.rateLimitPerMinute === 0 ? "No limit" : "Requests per minute of this key",
      },
      free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    },
  };
}
