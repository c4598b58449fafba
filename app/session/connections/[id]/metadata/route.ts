import { handle } from "@/lib/server/handle";
import { metadata } from "@/lib/records/sign-in-connections/saml-service";
import { getSamlMetadata } from "@/lib/records/sign-in-connections/session-saml-contract";

export const GET = handle(getSamlMetadata, metadata);
