import "server-only";
import type { Provider as ProviderRow } from "../../../prisma/generated/client";
import type { Provider, UpdateProviderBody } from "./contract";
import { headerNames } from "./credential-rows";
import { trimmedUrl } from "./policy";

/** Converts wire fields to columns, except secrets; missing fields stay missing. */
export const toColumns = (body: UpdateProviderBody) => ({
  name: body.name,
  baseUrl: body.base_url === undefined ? undefined : trimmedUrl(body.base_url),
  protocol: body.protocol,
  zdr: body.zdr,
  trains: body.trains,
  ownership: body.ownership,
});

/** Converts a row to the admin's settings, without volatile figures. */
export const toSettings = (row: ProviderRow): Omit<Provider, "models_count"> => ({
  slug: row.slug,
  name: row.name,
  base_url: row.baseUrl,
  protocol: row.protocol,
  zdr: row.zdr,
  trains: row.trains,
  ownership: row.ownership,
  has_api_key: row.apiKeyCiphertext !== null,
  header_names: headerNames(row),
  privacy_policy_url: null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});
