import { getGuardrailThresholds, updateGuardrailThresholds } from "@/lib/budgets/thresholds-contract";
import * as thresholds from "@/lib/budgets/thresholds";
import { handle } from "@/lib/http/handle";

export const GET = handle(getGuardrailThresholds, thresholds.get);
export const PATCH = handle(updateGuardrailThresholds, thresholds.update);
