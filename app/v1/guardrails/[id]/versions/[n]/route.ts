import * as versions from "@/lib/features/guardrails/versions-service";
import { getGuardrailVersion } from "@/lib/records/guardrails/versions-contract";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGuardrailVersion, versions.get);
