import { coverage } from "@/lib/guardrails/coverage";
import { getCoverage } from "@/lib/guardrails/coverage-contract";
import { handle } from "@/lib/http/handle";

export const GET = handle(getCoverage, coverage);
