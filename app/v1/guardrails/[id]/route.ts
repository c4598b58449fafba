import { deleteGuardrail, getGuardrail, updateGuardrail } from "@/lib/records/guardrails/contract";
import * as guardrails from "@/lib/features/guardrails/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGuardrail, guardrails.get);
export const PATCH = handle(updateGuardrail, guardrails.update);
export const DELETE = handle(deleteGuardrail, guardrails.remove);
