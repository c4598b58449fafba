import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { describeCertificate } from "./saml-certificate";
import { generateKeyPair } from "./saml-key-pair";
import { readProviderMetadata, serviceMetadata } from "./saml-metadata";
import { parseXml, elementsNamed, METADATA, SIGNATURE } from "./saml-xml";

const NOW = new Date("2026-11-29T09:00:00Z");
const pair = await generateKeyPair("Signalbox Acme", NOW);
const other = await generateKeyPair("Next", NOW);
const bare = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\s/g, "");

const config = {
  idpEntityId: "https://idp.example",
  ssoUrl: "https://idp.example/sso",
  sloUrl: null,
  certificates: [pair.certificate],
  spEntityId: "https://signalbox.example/metadata",
  acsUrl: "https://signalbox.example/acs",
  logoutUrl: "https://signalbox.example/logout",
  spPrivateKey: pair.privateKey,
  spCertificate: pair.certificate,
  attributes: { email: null, firstName: null, lastName: null, groups: null },
};

interface Parts {
  entityId?: string;
  keys?: string;
  services?: string;
  role?: string;
}

const key = (certificate: string, use = ' use="signing"') =>
  `<KeyDescriptor${use}><ds:KeyInfo xmlns:ds="${SIGNATURE}"><ds:X509Data><ds:X509Certificate>\n${bare(certificate)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`;
const service = (name: string, binding: string, location: string) =>
  `<${name} Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`;
const metadata = ({
  entityId = ' entityID="https://idp.example"',
  keys = key(pair.certificate),
  services = service("SingleSignOnService", "HTTP-Redirect", "https://idp.example/sso"),
  role = `<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys}${services}</IDPSSODescriptor>`,
}: Parts = {}) =>
  `<?xml version="1.0"?><!-- by hand --><EntityDescriptor xmlns="${METADATA}"${entityId}>${role}</EntityDescriptor>`;

describe("the metadata of a provider", () => {
  it("has its entity id, addresses and signing certificates", () => {
    const xml = metadata({
      keys: `${key(pair.certificate)}${key(other.certificate, "")}${key(pair.certificate)}${key(other.certificate, ' use="encryption"')}`,
      services: [
        service("SingleLogoutService", "HTTP-POST", "https://idp.example/slo-post"),
        service("SingleLogoutService", "HTTP-Redirect", "https://idp.example/slo"),
        service("SingleSignOnService", "HTTP-POST", "https://idp.example/sso-post"),
        service("SingleSignOnService", "HTTP-Redirect", "https://idp.example/sso?tenant=1&amp;x=2"),
      ].join("\n"),
    });
    expect(readProviderMetadata(`\uFEFF${xml}\n`)).toEqual({
      entityId: "https://idp.example",
      ssoUrl: "https://idp.example/sso?tenant=1&x=2",
      sloUrl: "https://idp.example/slo",
      certificates: [pair.certificate, other.certificate].map((pem) => `${pem.trim()}\n`),
    });
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      "nothing that is needed",
      metadata({ entityId: "", keys: "", services: "" }),
      "The metadata has no entity id (entityID), and no sign-in address for HTTP redirect (SingleSignOnService), and no signing certificate (KeyDescriptor)",
    ],
    [
      "only an address for POST",
      metadata({ services: service("SingleSignOnService", "HTTP-POST", "https://idp.example/sso") }),
      "(SingleSignOnService), only one for HTTP POST",
    ],
    ["no identity provider", metadata({ role: "" }), "no identity provider with SAML 2.0"],
    ["SAML 1.1", metadata().replace("SAML:2.0:protocol", "SAML:1.1:protocol"), "no identity provider with SAML 2.0"],
    ["a service provider", metadata({ role: "<SPSSODescriptor/>" }), "metadata of a service provider"],
    [
      "several providers",
      `<EntitiesDescriptor xmlns="${METADATA}">${metadata().slice(metadata().indexOf("<Entity")).repeat(2)}</EntitiesDescriptor>`,
      "describes 2 identity providers",
    ],
    ["a text that isn't a certificate", metadata({ keys: key("YWJj") }), "isn't an X.509 certificate"],
    ["a document type", `<!DOCTYPE x>${metadata()}`, "document type declaration"],
    ["a web page", "<html><body><p>Sign in</body></html>", "isn't well-formed XML"],
    ["JSON", "{}", "isn't well-formed XML"],
    ["nothing", " ", "isn't well-formed XML"],
  ];
  it.each(refused)("is refused with %s", (_name, xml, message) => {
    expect(() => readProviderMetadata(xml)).toThrow(message);
  });
});

describe("the metadata of Signalbox", () => {
  it("has the addresses and certificates that a provider needs", () => {
    const root = parseXml(serviceMetadata(config, "_1"), "metadata");
    expect(root.getAttribute("entityID")).toBe(config.spEntityId);
    const role = elementsNamed(root, METADATA, "SPSSODescriptor")[0];
    expect(role?.getAttribute("AuthnRequestsSigned")).toBe("true");
    expect(role?.getAttribute("WantAssertionsSigned")).toBe("true");
    const uses = elementsNamed(root, METADATA, "KeyDescriptor").map((one) => one.getAttribute("use"));
    expect(uses).toEqual(["signing", "encryption"]);
    const services = (name: string) =>
      elementsNamed(root, METADATA, name).map(
        (one) => `${one.getAttribute("Binding")?.split(":").at(-1)} ${one.getAttribute("Location")}`,
      );
    expect(services("AssertionConsumerService")).toEqual([`HTTP-POST ${config.acsUrl}`]);
    expect(services("SingleLogoutService")).toEqual([
      `HTTP-Redirect ${config.logoutUrl}`,
      `HTTP-POST ${config.logoutUrl}`,
    ]);
  });
});

describe("a generated key pair", () => {
  it("has a self-signed certificate for ten years", () => {
    const certificate = new X509Certificate(pair.certificate);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.subject).toBe("CN=Signalbox Acme");
    expect(describeCertificate(pair.certificate)).toMatchObject({
      validFrom: NOW,
      validTo: new Date("2036-11-29T09:00:00Z"),
      sha256: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
    expect(pair.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  });
});
