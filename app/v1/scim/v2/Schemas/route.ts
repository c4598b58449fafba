import { listSchemas } from "@/lib/records/scim/contract";
import { schemas } from "@/lib/records/scim/discovery-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listSchemas, schemas);
