import { generateKeyPair } from "../records/sign-in-connections/saml-key-pair";
import type { SamlConfig } from "../records/sign-in-connections/saml-config";
import { readProviderMetadata } from "../records/sign-in-connections/saml-metadata";
import type { SamlProvider } from "./saml-provider";

const OWN = "https://signalbox.example/session/connections/0190c0de-0000-7000-8000-000000000001";

/** A connection to a provider on loopback, set up from the provider's metadata. */
export async function samlConfigFor(provider: SamlProvider): Promise<SamlConfig> {
  const { entityId: idpEntityId, ...addresses } = readProviderMetadata(await provider.metadata());
  const { privateKey, certificate } = await generateKeyPair("Signalbox", new Date());
  return {
    idpEntityId,
    ...addresses,
    spEntityId: `${OWN}/saml/metadata`,
    acsUrl: `${OWN}/saml`,
    logoutUrl: `${OWN}/saml/logout`,
    spPrivateKey: privateKey,
    spCertificate: certificate,
    attributes: { email: null, firstName: null, lastName: null, groups: null },
  };
}
