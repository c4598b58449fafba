import { handle } from "@/lib/server/handle";
import { exportPolicy } from "@/lib/features/policy-file/contract";
import * as policyFile from "@/lib/features/policy-file/export-service";

export const GET = handle(exportPolicy, policyFile.exportPolicy);
