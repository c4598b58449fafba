import { handle } from "@/lib/server/handle";
import { readSamlMetadata } from "@/lib/records/sign-in-connections/contract";
import { readMetadata } from "@/lib/records/sign-in-connections/saml-service";

export const POST = handle(readSamlMetadata, readMetadata);
