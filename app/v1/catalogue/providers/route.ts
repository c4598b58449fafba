import { listCatalogueProviders } from "@/lib/records/catalogue/contract";
import * as catalogue from "@/lib/records/catalogue/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listCatalogueProviders, catalogue.listProviders);
