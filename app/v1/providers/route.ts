import { handle } from "@/lib/http/handle";
import { createProvider, listProviders } from "@/lib/providers/contract";
import * as providers from "@/lib/providers/service";

export const GET = handle(listProviders, providers.list);
export const POST = handle(createProvider, providers.create);
