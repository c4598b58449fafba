import { listCatalogueProviders } from "@/lib/catalogue/contract";
import * as catalogue from "@/lib/catalogue/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(listCatalogueProviders, catalogue.listProviders);
