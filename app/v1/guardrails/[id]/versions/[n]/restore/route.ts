import * as versions from "@/lib/guardrails/versions";
import { restoreGuardrailVersion } from "@/lib/guardrails/versions-contract";
import { handle } from "@/lib/http/handle";

export const POST = handle(restoreGuardrailVersion, versions.restore);
