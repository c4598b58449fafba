import { headers } from "next/headers";
import type { ReferenceDocument } from "@/components/reference/reference-document";
import { getOpenApiDocument } from "@/lib/browser/operations/docs";
import { localCall } from "@/lib/server/local-call";

/** The OpenAPI document of this installation, and the origin of the request. */
export async function readReference(): Promise<{ document: ReferenceDocument; origin: string }> {
  const document = (await localCall(getOpenApiDocument, {})) as unknown as ReferenceDocument;
  const given = await headers();
  return { document, origin: `${given.get("x-forwarded-proto") ?? "http"}://${given.get("host") ?? "localhost"}` };
}
