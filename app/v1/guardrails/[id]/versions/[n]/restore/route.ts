import * as versions from "@/lib/features/guardrails/versions-service";
import { restoreGuardrailVersion } from "@/lib/records/guardrails/versions-contract";
import { handle } from "@/lib/server/handle";

export const POST = handle(restoreGuardrailVersion, versions.restore);
