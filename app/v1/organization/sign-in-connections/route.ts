import { createSignInConnection, listSignInConnections } from "@/lib/records/sign-in-connections/contract";
import { create, list } from "@/lib/records/sign-in-connections/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listSignInConnections, list);
export const POST = handle(createSignInConnection, create);
