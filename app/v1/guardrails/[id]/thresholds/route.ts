import { getGuardrailThresholds, updateGuardrailThresholds } from "@/lib/records/budgets/thresholds-contract";
import * as thresholds from "@/lib/records/budgets/thresholds-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGuardrailThresholds, thresholds.get);
export const PATCH = handle(updateGuardrailThresholds, thresholds.update);
