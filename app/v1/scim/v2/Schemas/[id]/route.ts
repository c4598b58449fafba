import { getSchema } from "@/lib/records/scim/contract";
import { schema } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getSchema, schema);
