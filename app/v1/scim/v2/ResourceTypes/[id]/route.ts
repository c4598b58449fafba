import { getResourceType } from "@/lib/records/scim/contract";
import { resourceType } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getResourceType, resourceType);
