import { handle } from "@/lib/server/handle";
import { getEffectivePolicy } from "@/lib/features/policy-check/contract";
import { effective } from "@/lib/features/policy-check/effective-service";

export const GET = handle(getEffectivePolicy, effective);
