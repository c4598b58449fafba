import type { Protocol } from "@/lib/records/sign-in-connections/vocabulary";

export const PROTOCOL_LABELS: Readonly<Record<Protocol, string>> = { oidc: "OpenID Connect", saml: "SAML 2.0" };

export const PROTOCOL_OPTIONS = (["oidc", "saml"] as const).map((value) => ({ value, label: PROTOCOL_LABELS[value] }));
