import { deleteGuardrail, getGuardrail, updateGuardrail } from "@/lib/guardrails/contract";
import * as guardrails from "@/lib/guardrails/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getGuardrail, guardrails.get);
export const PATCH = handle(updateGuardrail, guardrails.update);
export const DELETE = handle(deleteGuardrail, guardrails.remove);
