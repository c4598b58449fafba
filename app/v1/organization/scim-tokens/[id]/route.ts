import { deleteScimToken } from "@/lib/records/scim-tokens/contract";
import * as tokens from "@/lib/records/scim-tokens/service";
import { handle } from "@/lib/server/handle";

export const DELETE = handle(deleteScimToken, tokens.remove);
