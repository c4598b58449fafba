import * as lint from "@/lib/guardrails/lint";
import { lintGuardrail } from "@/lib/guardrails/lint-contract";
import { handle } from "@/lib/http/handle";

export const POST = handle(lintGuardrail, lint.lint);
