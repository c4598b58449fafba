import { handle } from "@/lib/http/handle";
import { getCurrentKey } from "@/lib/keys/contract";
import { current } from "@/lib/keys/current";

export const GET = handle(getCurrentKey, current);
