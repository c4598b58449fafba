import { listResourceTypes } from "@/lib/records/scim/contract";
import { resourceTypes } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listResourceTypes, resourceTypes);
