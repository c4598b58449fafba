import { createScimToken, listScimTokens } from "@/lib/records/scim-tokens/contract";
import * as tokens from "@/lib/records/scim-tokens/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listScimTokens, tokens.list);
export const POST = handle(createScimToken, tokens.create);
