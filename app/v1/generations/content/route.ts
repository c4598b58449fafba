import { removeMany } from "@/lib/features/content-access/removal-service";
import { deleteGenerationContents } from "@/lib/features/content-access/removal-contract";
import { handle } from "@/lib/server/handle";

export const DELETE = handle(deleteGenerationContents, removeMany);
