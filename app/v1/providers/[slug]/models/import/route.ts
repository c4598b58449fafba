import { handle } from "@/lib/server/handle";
import { importModels } from "@/lib/records/providers/import-service";
import { importModels as operation } from "@/lib/records/providers/import-contract";

export const POST = handle(operation, importModels);
