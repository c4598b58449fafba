import { handle } from "@/lib/server/handle";
import { getOrganization, updateOrganization } from "@/lib/records/organization/contract";
import * as organization from "@/lib/records/organization/service";

export const GET = handle(getOrganization, organization.get);
export const PATCH = handle(updateOrganization, organization.update);
