import { wireOf, type SamlConfig } from "./saml-config";
import { acceptedCertificate } from "./saml-certificate";
import { SamlError } from "./saml-error";
import {
  attributeOf,
  childrenNamed,
  elementsNamed,
  isNamed,
  METADATA,
  parseXml,
  POST_BINDING,
  PROTOCOL,
  REDIRECT_BINDING,
  serialized,
  SIGNATURE,
  textOf,
} from "./saml-xml";
import { MOST_CERTIFICATES } from "./vocabulary";

/** What a provider's metadata says that a connection needs. */
export interface ProviderMetadata {
  entityId: string;
  ssoUrl: string;
  sloUrl: string | null;
  certificates: readonly string[];
}

/** Returns the metadata document to give to a provider. */
export function serviceMetadata(config: SamlConfig, id: string): string {
  const xml = wireOf(config, { id }).generateServiceProviderMetadata(config.spCertificate, config.spCertificate);
  const root = parseXml(xml, "metadata");
  for (const byPost of elementsNamed(root, METADATA, "SingleLogoutService")) {
    const byRedirect = byPost.cloneNode() as Element;
    byRedirect.setAttribute("Binding", REDIRECT_BINDING);
    byPost.parentNode?.insertBefore(byRedirect, byPost);
  }
  return serialized(root.ownerDocument);
}

const incomplete = (missing: readonly string[]) =>
  new SamlError("incomplete_metadata", `The metadata has no ${missing.join(", and no ")}`);

/** Reads the metadata document of a provider. Reports everything that is missing. */
export function readProviderMetadata(xml: string): ProviderMetadata {
  const root = parseXml(xml.replace(/^\uFEFF/, "").trim(), "metadata", { allowsComments: true });
  const [role, ...others] = elementsNamed(root, METADATA, "IDPSSODescriptor").filter((element) =>
    attributeOf(element, "protocolSupportEnumeration")?.split(/\s+/).includes(PROTOCOL),
  );
  if (!role)
    throw elementsNamed(root, METADATA, "SPSSODescriptor").length > 0
      ? new SamlError(
          "incomplete_metadata",
          "This is the metadata of a service provider; paste that of the identity provider",
        )
      : incomplete(["identity provider with SAML 2.0 (IDPSSODescriptor)"]);
  if (others.length > 0)
    throw new SamlError(
      "incomplete_metadata",
      `The metadata describes ${others.length + 1} identity providers; paste the metadata of one`,
    );
  const parent = role.parentNode as Element;
  const entityId = isNamed(parent, METADATA, "EntityDescriptor") ? attributeOf(parent, "entityID") : null;
  const ssoUrl = locationOf(role, "SingleSignOnService");
  const certificates = certificatesOf(role);
  if (entityId === null || ssoUrl === null || certificates.length === 0)
    throw incomplete([
      ...(entityId === null ? ["entity id (entityID)"] : []),
      ...(ssoUrl === null ? [`sign-in address for HTTP redirect (SingleSignOnService)${postOnly(role)}`] : []),
      ...(certificates.length === 0 ? ["signing certificate (KeyDescriptor)"] : []),
    ]);
  return { entityId, ssoUrl, sloUrl: locationOf(role, "SingleLogoutService"), certificates };
}

const locationOf = (role: Element, service: string): string | null =>
  childrenNamed(role, METADATA, service)
    .filter((element) => attributeOf(element, "Binding") === REDIRECT_BINDING)
    .flatMap((element) => attributeOf(element, "Location") ?? [])[0] ?? null;

const postOnly = (role: Element): string =>
  childrenNamed(role, METADATA, "SingleSignOnService").some((one) => attributeOf(one, "Binding") === POST_BINDING)
    ? ", only one for HTTP POST"
    : "";

function certificatesOf(role: Element): string[] {
  const texts = childrenNamed(role, METADATA, "KeyDescriptor")
    .filter((key) => attributeOf(key, "use") !== "encryption")
    .flatMap((key) => elementsNamed(key, SIGNATURE, "X509Certificate"))
    .flatMap((element) => textOf(element) ?? []);
  const certificates = [...new Set(texts.map(acceptedCertificate))];
  if (certificates.length > MOST_CERTIFICATES)
    throw new SamlError("incomplete_metadata", `The metadata has more than ${MOST_CERTIFICATES} signing certificates`);
  return certificates;
}
