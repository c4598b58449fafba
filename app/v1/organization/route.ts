import { handle } from "@/lib/http/handle";
import { getOrganization, updateOrganization } from "@/lib/organization/contract";
import * as organization from "@/lib/organization/service";

export const GET = handle(getOrganization, organization.get);
export const PATCH = handle(updateOrganization, organization.update);
