import { handle } from "@/lib/server/handle";
import { deleteProvider, getProvider, updateProvider } from "@/lib/records/providers/contract";
import * as providers from "@/lib/records/providers/service";

export const GET = handle(getProvider, providers.get);
export const PATCH = handle(updateProvider, providers.update);
export const DELETE = handle(deleteProvider, providers.remove);
