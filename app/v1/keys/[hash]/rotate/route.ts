import { handle } from "@/lib/server/handle";
import { rotateKey } from "@/lib/records/keys/contract";
import * as keys from "@/lib/records/keys/service";

export const POST = handle(rotateKey, keys.rotate);
