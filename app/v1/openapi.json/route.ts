import { document } from "@/lib/server/docs/service";
import { handle } from "@/lib/server/handle";
import { getOpenApiDocument } from "@/lib/server/docs/contract";

export const GET = handle(getOpenApiDocument, document);
