import { handle } from "@/lib/http/handle";
import { exportPolicy } from "@/lib/policy-file/contract";
import * as policyFile from "@/lib/policy-file/export";

export const GET = handle(exportPolicy, policyFile.exportPolicy);
