import { listGenerationPreviews } from "@/lib/features/content-access/contract";
import { previews } from "@/lib/features/content-access/previews-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listGenerationPreviews, previews);
