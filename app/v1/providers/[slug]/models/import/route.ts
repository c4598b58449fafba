import { handle } from "@/lib/http/handle";
import { importModels } from "@/lib/providers/import";
import { importModels as operation } from "@/lib/providers/import-contract";

export const POST = handle(operation, importModels);
