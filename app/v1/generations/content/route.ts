import { removeMany } from "@/lib/generations/content-removal";
import { deleteGenerationContents } from "@/lib/generations/content-removal-contract";
import { handle } from "@/lib/http/handle";

export const DELETE = handle(deleteGenerationContents, removeMany);
