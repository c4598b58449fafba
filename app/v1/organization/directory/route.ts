import { getDirectory } from "@/lib/records/scim-tokens/contract";
import * as tokens from "@/lib/records/scim-tokens/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getDirectory, tokens.getDirectory);
