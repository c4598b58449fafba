import { deleteGenerationContent, getGenerationContent } from "@/lib/features/content-access/contract";
import * as content from "@/lib/features/content-access/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getGenerationContent, content.get);
export const DELETE = handle(deleteGenerationContent, content.remove);
