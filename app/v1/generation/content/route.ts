import { deleteGenerationContent, getGenerationContent } from "@/lib/generations/content-contract";
import * as content from "@/lib/generations/content-service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getGenerationContent, content.get);
export const DELETE = handle(deleteGenerationContent, content.remove);
