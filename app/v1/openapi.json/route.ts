import { document } from "@/lib/docs/service";
import { handle } from "@/lib/http/handle";
import { getOpenApiDocument } from "@/lib/docs/contract";

export const GET = handle(getOpenApiDocument, document);
