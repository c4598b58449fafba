import { SAML, ValidateInResponseTo } from "@node-saml/node-saml";

/** Names of the attributes that hold what Signalbox reads; null: any of the usual names. */
export interface AttributeNames {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  groups: string | null;
}

/** What the wire part needs to know about a connection. */
export interface SamlConfig {
  idpEntityId: string;
  ssoUrl: string;
  sloUrl: string | null;
  /** Certificates of the provider, in PEM; several while its key rotates. */
  certificates: readonly string[];
  spEntityId: string;
  acsUrl: string;
  /** Address for the provider's logout messages. */
  logoutUrl: string;
  spPrivateKey: string;
  spCertificate: string;
  attributes: AttributeNames;
}

/** Builds messages, and verifies signatures. `readAssertion` and `readLogoutRequest` read and judge what was verified. */
class SamlWire extends SAML {
  authnRequest(): Promise<string> {
    return this.generateAuthorizeRequestAsync(false, false);
  }

  protected override async processValidlySignedAssertionAsync(xml: string) {
    const profile = { issuer: "", nameID: "", nameIDFormat: "", getAssertionXml: () => xml };
    return Promise.resolve({ profile, loggedOut: false });
  }

  protected override async processValidlySignedPostRequestAsync() {
    return Promise.resolve({ profile: { issuer: "", nameID: "", nameIDFormat: "" }, loggedOut: false });
  }
}

/** Requests are stored with the sign-in, not in memory. */
const NO_CACHE = {
  saveAsync: () => Promise.resolve(null),
  getAsync: () => Promise.resolve(null),
  removeAsync: () => Promise.resolve(null),
};

/** Signatures that a message has, all of which must verify. */
export interface Signed {
  response: boolean;
  assertion: boolean;
}

interface WireOptions {
  signed?: Signed;
  /** The id of a message that is built. */
  id?: string;
  forceAuthn?: boolean;
}

/** Returns the SAML library set up for a connection. */
export const wireOf = (
  config: SamlConfig,
  { signed = { response: true, assertion: true }, id = "", forceAuthn = false }: WireOptions = {},
): SamlWire =>
  new SamlWire({
    issuer: config.spEntityId,
    callbackUrl: config.acsUrl,
    logoutCallbackUrl: config.logoutUrl,
    entryPoint: config.ssoUrl,
    logoutUrl: config.sloUrl ?? "",
    idpIssuer: config.idpEntityId,
    idpCert: [...config.certificates],
    privateKey: config.spPrivateKey,
    publicCert: config.spCertificate,
    decryptionPvk: config.spPrivateKey,
    signatureAlgorithm: "sha256",
    digestAlgorithm: "sha256",
    wantAuthnResponseSigned: signed.response,
    wantAssertionsSigned: signed.assertion,
    // Providers choose the format of the name id and the way they authenticate.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    forceAuthn,
    generateUniqueId: () => id,
    cacheProvider: NO_CACHE,
    validateInResponseTo: ValidateInResponseTo.never,
  });
