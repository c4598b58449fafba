import * as versions from "@/lib/guardrails/versions";
import { listGuardrailVersions } from "@/lib/guardrails/versions-contract";
import { handle } from "@/lib/http/handle";

export const GET = handle(listGuardrailVersions, versions.list);
