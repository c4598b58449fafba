import { createWorkloadIdentity, listWorkloadIdentities } from "@/lib/records/workload-identities/contract";
import { create, list } from "@/lib/records/workload-identities/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listWorkloadIdentities, list);
export const POST = handle(createWorkloadIdentity, create);
