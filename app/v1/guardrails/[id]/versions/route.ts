import * as versions from "@/lib/features/guardrails/versions-service";
import { listGuardrailVersions } from "@/lib/records/guardrails/versions-contract";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGuardrailVersions, versions.list);
