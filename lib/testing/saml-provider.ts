import { randomUUID, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as bodyOf } from "node:stream/consumers";
import samlp, { type SamlpOptions } from "samlp";
import SessionParticipants from "samlp/lib/sessionParticipants/index.js";
import { generateKeyPair, type KeyPair } from "../records/sign-in-connections/saml-key-pair";
import {
  attributeOf,
  elementsNamed,
  METADATA,
  parseXml,
  SIGNATURE,
  textOf,
} from "../records/sign-in-connections/saml-xml";

const PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

export interface SamlPerson {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: readonly string[];
}

/** What the provider knows of the application that people sign in to. */
export interface ServiceProvider {
  entityId: string;
  acsUrl: string;
  logoutUrl: string;
  certificate: string;
}

/** Reads the metadata of an application, as the admin of a provider gives it to the provider. */
export function readServiceMetadata(xml: string): ServiceProvider {
  const root = parseXml(xml, "metadata");
  const location = (name: string) => attributeOf(elementsNamed(root, METADATA, name)[0] as Element, "Location") ?? "";
  return {
    entityId: attributeOf(root, "entityID") ?? "",
    acsUrl: location("AssertionConsumerService"),
    logoutUrl: location("SingleLogoutService"),
    certificate: `-----BEGIN CERTIFICATE-----\n${textOf(elementsNamed(root, SIGNATURE, "X509Certificate")[0] as Element) ?? ""}\n-----END CERTIFICATE-----\n`,
  };
}

export const publicKeyOf = (certificate: string): string =>
  new X509Certificate(certificate).publicKey.export({ type: "spki", format: "pem" }).toString();

const mapperOf = (person: SamlPerson) => () => ({
  getClaims: () => ({
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    groups: [...person.groups],
  }),
  getNameIdentifier: () => ({ nameIdentifier: person.id, nameIdentifierFormat: PERSISTENT }),
});

/** An identity provider on loopback, by the package samlp. It signs in one person without a form. */
export class SamlProvider {
  /** The person at the browser. */
  person: SamlPerson = {
    id: "ada-1815",
    email: "ada@acme.example",
    firstName: "Ada",
    lastName: "Lovelace",
    groups: ["engineers"],
  };
  /** Overrides what the provider sends, in tests of mistakes. */
  overrides: Partial<SamlpOptions> = {};
  /** The application that it trusts. */
  service: ServiceProvider | null = null;
  readonly sessionIndex = `_${randomUUID()}`;
  private readonly states = new Map<string, object>();
  private readonly server = createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
  });

  private constructor(private keys: KeyPair) {}

  static async start(keys?: KeyPair): Promise<SamlProvider> {
    const provider = new SamlProvider(keys ?? (await generateKeyPair("Loopback provider", new Date())));
    await once(provider.server.listen(0, "127.0.0.1"), "listening");
    return provider;
  }

  /** Another site than 127.0.0.1, so that browsers treat its forms as those of real providers. */
  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }
  get entityId(): string {
    return `${this.url}/metadata`;
  }
  get ssoUrl(): string {
    return `${this.url}/sso`;
  }
  get sloUrl(): string {
    return `${this.url}/slo`;
  }
  get certificate(): string {
    return this.keys.certificate;
  }

  /** Replaces the signing key. */
  async rotate(): Promise<void> {
    this.keys = await generateKeyPair("Loopback provider, rotated", new Date());
  }

  async metadata(): Promise<string> {
    return (await fetch(this.entityId)).text();
  }

  /** Options of samlp for a response to the trusted application. */
  responseOptions(): SamlpOptions {
    const { entityId, acsUrl = "" } = this.service ?? {};
    return {
      issuer: this.entityId,
      cert: this.keys.certificate,
      key: this.keys.privateKey,
      ...(entityId !== undefined && { audience: entityId }),
      recipient: acsUrl,
      destination: acsUrl,
      lifetimeInSeconds: 300,
      sessionIndex: this.sessionIndex,
      signAssertion: true,
      signatureAlgorithm: "rsa-sha256",
      digestAlgorithm: "sha256",
      profileMapper: mapperOf(this.person),
      ...this.overrides,
    };
  }

  /** Builds a response without a browser. */
  async response(options: Partial<SamlpOptions> = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      samlp.getSamlResponse({ ...this.responseOptions(), ...options }, {}, (error, xml) =>
        error ? reject(error) : resolve(xml),
      );
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    const form = request.method === "POST" ? new URLSearchParams(await bodyOf(request)) : new URLSearchParams();
    const asExpress = Object.assign(request, {
      query: Object.fromEntries(url.searchParams),
      body: Object.fromEntries(form),
      originalUrl: request.url,
      protocol: "http",
    });
    const expressResponse = Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
      send: (content: string | number) => {
        if (typeof content === "number") response.writeHead(content).end("signed out");
        else response.end(content);
      },
      redirect: (to: string) => response.writeHead(302, { location: to }).end(),
    });
    const next = (error?: Error) => {
      response.writeHead(error ? 400 : 404, { "content-type": "text/plain" }).end(error?.message ?? "not found");
    };
    this.handlerOf(url.pathname)(asExpress, expressResponse, next);
  }

  private handlerOf(path: string) {
    const { certificate: cert, privateKey: key } = this.keys;
    const issuer = this.entityId;
    if (path === "/metadata")
      return samlp.metadata({
        issuer,
        cert,
        redirectEndpointPath: "/sso",
        postEndpointPath: "/sso",
        logoutEndpointPaths: { redirect: "/slo", post: "/slo" },
      });
    if (path === "/slo") return samlp.logout(this.logoutOptions({ issuer, cert, key }));
    const { service } = this;
    return samlp.auth({
      ...this.responseOptions(),
      ...(service && { signingCert: service.certificate }),
      getUserFromRequest: () => ({}),
      getPostURL: (_audience, dom, _http, done) =>
        done(null, service?.acsUrl ?? dom.documentElement.getAttribute("AssertionConsumerServiceURL")),
    });
  }

  private logoutOptions(signing: { issuer: string; cert: string; key: string }) {
    const { service } = this;
    const participant = {
      serviceProviderId: service?.entityId,
      sessionIndex: this.sessionIndex,
      nameId: this.person.id,
      nameIdFormat: PERSISTENT,
      serviceProviderLogoutURL: service?.logoutUrl,
      cert: service?.certificate,
    };
    return {
      ...signing,
      deflate: true,
      protocolBinding: REDIRECT,
      sessionParticipants: new SessionParticipants([participant]),
      store: {
        save: (_request: unknown, state: object, done: (error: null, handle: string) => void) => {
          const handle = randomUUID();
          this.states.set(handle, state);
          done(null, handle);
        },
        load: (_request: unknown, handle: string, ...rest: unknown[]) => {
          const done = rest.at(-1) as (error: null, state?: object) => void;
          done(null, this.states.get(handle));
        },
        update: (_request: unknown, handle: string, state: object, done: (error: null) => void) => {
          this.states.set(handle, state);
          done(null);
        },
      },
    };
  }
}
