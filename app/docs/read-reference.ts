import type { ReferenceDocument } from "@/components/reference/reference-document";
import { getOpenApiDocument } from "@/lib/browser/operations/docs";
import { localCall } from "@/lib/server/local-call";

/** The OpenAPI document of this installation. */
export const readReference = async (): Promise<ReferenceDocument> =>
  (await localCall(getOpenApiDocument, {})) as unknown as ReferenceDocument;
