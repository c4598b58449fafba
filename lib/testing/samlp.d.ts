declare module "samlp" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export interface SamlpMapper {
    getClaims: () => Record<string, unknown>;
    getNameIdentifier: () => { nameIdentifier: string; nameIdentifierFormat: string };
  }
  export interface SamlpOptions {
    issuer: string;
    cert: string;
    key: string;
    audience?: string;
    recipient?: string;
    destination?: string;
    inResponseTo?: string;
    lifetimeInSeconds?: number;
    sessionIndex?: string;
    signAssertion?: boolean;
    signResponse?: boolean;
    signatureAlgorithm?: string;
    digestAlgorithm?: string;
    encryptionCert?: string;
    encryptionPublicKey?: string;
    encryptionAlgorithm?: string;
    disallowEncryptionWithInsecureAlgorithm?: boolean;
    warnOnInsecureEncryptionAlgorithm?: boolean;
    profileMapper: (user: unknown) => SamlpMapper;
    /** Certificate of the service provider, which must then sign its requests. */
    signingCert?: string;
    getPostURL?: (
      audience: string,
      request: Document,
      http: IncomingMessage,
      done: (error: Error | null, url: string | null) => void,
    ) => void;
    getUserFromRequest?: () => unknown;
  }
  export interface SamlpLogoutOptions {
    issuer: string;
    cert: string;
    key: string;
    deflate: boolean;
    protocolBinding: string;
    sessionParticipants: unknown;
    store: SamlpStore;
    destination?: string;
  }
  export interface SamlpStore {
    save: (request: unknown, state: object, done: (error: Error | null, handle?: string) => void) => void;
    load: (
      request: unknown,
      handle: string,
      options: object,
      done: (error: Error | null, state?: object) => void,
    ) => void;
    update: (request: unknown, handle: string, state: object, done: (error: Error | null) => void) => void;
  }
  type Handler = (request: IncomingMessage, response: ServerResponse, next: (error?: Error) => void) => void;

  const samlp: {
    auth: (options: SamlpOptions) => Handler;
    logout: (options: SamlpLogoutOptions) => Handler;
    metadata: (options: object) => Handler;
    getSamlResponse: (options: SamlpOptions, user: unknown, done: (error: Error | null, xml: string) => void) => void;
  };
  export default samlp;
}

declare module "samlp/lib/sessionParticipants/index.js" {
  const SessionParticipants: new (sessions: object[]) => object;
  export default SessionParticipants;
}
