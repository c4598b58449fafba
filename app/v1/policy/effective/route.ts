import { handle } from "@/lib/http/handle";
import { getEffectivePolicy } from "@/lib/policy/contract";
import { effective } from "@/lib/policy/effective";

export const GET = handle(getEffectivePolicy, effective);
