import { z } from "zod";
import { operation } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { BaseUrl, ProviderSlug } from "../providers/contract";
import { PROVIDER_KINDS } from "../providers/vocabulary";

const CatalogueProvider = z
  .object({ slug: ProviderSlug, name: z.string(), base_url: BaseUrl, kind: z.enum(PROVIDER_KINDS) })
  .meta({ id: "CatalogueProvider" });

export const listCatalogueProviders = operation({
  tag: "Providers",
  access: "management",
  id: "listCatalogueProviders",
  permission: "providers:read",
  method: "GET",
  path: "/catalogue/providers",
  summary: "List well-known vendors with the values for POST /providers, by slug; import their models separately",
  query: PageQuery,
  status: 200,
  result: page(CatalogueProvider),
});
