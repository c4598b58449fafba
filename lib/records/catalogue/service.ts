import "server-only";
import type { Context } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./contract";
import { nameOfVendor } from "../models/vocabulary";
import { VENDORS } from "./vendors";

export async function listProviders(
  _context: Context,
  { query }: Input<typeof contract.listCatalogueProviders>,
): Promise<Result<typeof contract.listCatalogueProviders>> {
  const data = VENDORS.slice(query.offset, query.offset + query.limit).map(({ slug, baseUrl, kind }) => ({
    slug,
    name: nameOfVendor(slug),
    base_url: baseUrl,
    kind,
  }));
  return Promise.resolve({ data, total_count: VENDORS.length });
}
