import { createGuardrail, listGuardrails } from "@/lib/records/guardrails/contract";
import * as guardrails from "@/lib/features/guardrails/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGuardrails, guardrails.list);
export const POST = handle(createGuardrail, guardrails.create);
