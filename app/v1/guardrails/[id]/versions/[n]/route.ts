import * as versions from "@/lib/guardrails/versions";
import { getGuardrailVersion } from "@/lib/guardrails/versions-contract";
import { handle } from "@/lib/http/handle";

export const GET = handle(getGuardrailVersion, versions.get);
