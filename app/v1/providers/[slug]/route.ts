import { handle } from "@/lib/http/handle";
import { deleteProvider, getProvider, updateProvider } from "@/lib/providers/contract";
import * as providers from "@/lib/providers/service";

export const GET = handle(getProvider, providers.get);
export const PATCH = handle(updateProvider, providers.update);
export const DELETE = handle(deleteProvider, providers.remove);
