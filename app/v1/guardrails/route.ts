import { createGuardrail, listGuardrails } from "@/lib/guardrails/contract";
import * as guardrails from "@/lib/guardrails/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrails, guardrails.list);
export const POST = handle(createGuardrail, guardrails.create);
