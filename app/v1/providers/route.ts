import { handle } from "@/lib/server/handle";
import { createProvider, listProviders } from "@/lib/records/providers/contract";
import * as providers from "@/lib/records/providers/service";

export const GET = handle(listProviders, providers.list);
export const POST = handle(createProvider, providers.create);
