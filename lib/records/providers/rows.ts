import "server-only";
import type { Provider as ProviderRow } from "../../../prisma/generated/client";
import { json } from "../../platform/database/json";
import type { Provider, UpdateProviderBody } from "./contract";
import { namesOf } from "./credential-rows";
import { trimmedUrl } from "./rules";

/** Converts API fields to columns, except secrets; missing fields stay missing. */
export const toColumns = (body: UpdateProviderBody) => ({
  name: body.name,
  baseUrl: body.base_url === undefined ? undefined : trimmedUrl(body.base_url),
  kind: body.kind,
  protocol: body.protocol,
  settings: json(body.settings),
  zdr: body.zdr,
  trains: body.trains,
  ownership: body.ownership,
});

/** Converts a row to the admin's settings, without volatile figures. */
export const toSettings = (row: ProviderRow): Omit<Provider, "models_count" | "last_test"> => ({
  slug: row.slug,
  audit_id: row.id,
  name: row.name,
  base_url: row.baseUrl,
  kind: row.kind,
  protocol: row.protocol as Provider["protocol"],
  settings: row.settings as Provider["settings"],
  zdr: row.zdr,
  trains: row.trains,
  ownership: row.ownership,
  has_api_key: row.apiKeyCiphertext !== null,
  credential_names: namesOf(row.credentials),
  header_names: namesOf(row.headers),
  privacy_policy_url: null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});
