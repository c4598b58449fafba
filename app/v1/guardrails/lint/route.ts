import * as lint from "@/lib/features/lint/service";
import { lintGuardrail } from "@/lib/features/lint/contract";
import { handle } from "@/lib/server/handle";

export const POST = handle(lintGuardrail, lint.lint);
