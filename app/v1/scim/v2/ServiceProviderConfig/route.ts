import { getServiceProviderConfig } from "@/lib/records/scim/contract";
import { serviceProviderConfig } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getServiceProviderConfig, serviceProviderConfig);
