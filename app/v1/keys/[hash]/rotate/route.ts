import { handle } from "@/lib/http/handle";
import { rotateKey } from "@/lib/keys/contract";
import * as keys from "@/lib/keys/service";

export const POST = handle(rotateKey, keys.rotate);
