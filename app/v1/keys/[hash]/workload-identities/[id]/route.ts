import { deleteWorkloadIdentity, updateWorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { remove, update } from "@/lib/records/workload-identities/service";
import { handle } from "@/lib/server/handle";

export const PATCH = handle(updateWorkloadIdentity, update);
export const DELETE = handle(deleteWorkloadIdentity, remove);
