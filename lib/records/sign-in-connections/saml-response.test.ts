import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signed, unsigned, edited, HMAC, WRAPPINGS } from "../../testing/saml-attacks";
import { publicKeyOf, readServiceMetadata, SamlProvider } from "../../testing/saml-provider";
import { samlConfigFor } from "../../testing/saml-config";
import { checkInResponseTo } from "./saml-assertion";
import type { SamlConfig } from "./saml-config";
import type { SamlError, SamlProblem } from "./saml-error";
import { generateKeyPair, type KeyPair } from "./saml-key-pair";
import { serviceMetadata } from "./saml-metadata";
import { signInAddress } from "./saml-request";
import { verifyResponse } from "./saml-response";
import { ASSERTION, elementsNamed } from "./saml-xml";

const REQUEST = "_request-1";
const GCM = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
const CBC = "http://www.w3.org/2001/04/xmlenc#aes128-cbc";

let provider: SamlProvider;
let config: SamlConfig;
let stranger: KeyPair;

beforeAll(async () => {
  provider = await SamlProvider.start();
  config = await samlConfigFor(provider);
  stranger = await generateKeyPair("Stranger", new Date());
  provider.service = readServiceMetadata(serviceMetadata(config, "_metadata"));
});
afterAll(() => provider.close());

const base64 = (xml: string) => Buffer.from(xml).toString("base64");
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
async function verify(xml: string, { now = new Date(), with: other = config } = {}) {
  const verified = await verifyResponse(base64(xml), { config: other, now });
  checkInResponseTo(verified.inResponseTo, REQUEST);
  return verified;
}
const signedResponse = (options = {}) => provider.response({ inResponseTo: REQUEST, ...options });
const encryption = (certificate: string, encryptionAlgorithm = GCM) => ({
  encryptionCert: certificate,
  encryptionPublicKey: publicKeyOf(certificate),
  encryptionAlgorithm,
  disallowEncryptionWithInsecureAlgorithm: false,
  warnOnInsecureEncryptionAlgorithm: false,
});
const first = (root: Element, name: string) => elementsNamed(root, ASSERTION, name)[0] as Element;

describe("a sign-in at a provider", () => {
  it("is a signed request and a posted response that says who it is", async () => {
    const address = await signInAddress(config, { id: REQUEST, relayState: "state-1", forcesSignIn: false });
    const page = await (await fetch(address)).text();
    const field = (name: string) => new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1] ?? "";
    expect(page).toContain(`action="${config.acsUrl}"`);
    expect(field("RelayState")).toBe("state-1");
    const now = new Date();
    const verified = await verifyResponse(field("SAMLResponse"), { config, now });
    expect(verified.identity).toEqual({
      subject: "ada-1815",
      email: "ada@acme.example",
      firstName: "Ada",
      lastName: "Lovelace",
      groups: ["engineers"],
      providerSession: provider.sessionIndex,
      sessionEndsAt: null,
      claims: { email: "ada@acme.example", firstName: "Ada", lastName: "Lovelace", groups: "engineers" },
    });
    expect(verified.nameId.format).toMatch(/persistent$/);
    expect(verified.inResponseTo).toBe(REQUEST);
    expect(verified.assertionId).toMatch(/^_/);
    expect(verified.expiresAt.getTime()).toBeGreaterThan(now.getTime() + 5 * 60_000);
    expect(verified.expiresAt.getTime()).toBeLessThan(now.getTime() + 7 * 60_000);
  });

  it("is refused by the provider if somebody else signed the request", async () => {
    const address = await signInAddress(
      { ...config, spPrivateKey: stranger.privateKey },
      { id: "_1", relayState: "s", forcesSignIn: true },
    );
    expect((await fetch(address)).status).toBe(400);
  });

  it("may have a signed response, a signed assertion, or both", async () => {
    for (const options of [{ signResponse: true }, { signResponse: true, signAssertion: false }, {}])
      expect((await verify(await signedResponse(options))).identity.subject).toBe("ada-1815");
  });

  it("may have an encrypted assertion, signed within or by the response", async () => {
    for (const algorithm of [GCM, CBC])
      for (const options of [{}, { signResponse: true }, { signResponse: true, signAssertion: false }]) {
        const xml = await signedResponse({ ...encryption(config.spCertificate, algorithm), ...options });
        expect(xml).not.toContain("ada@acme.example");
        expect((await verify(xml)).identity.email).toBe("ada@acme.example");
      }
  });

  it("verifies with the old and the new key while the provider rotates it", async () => {
    const both = { ...config, certificates: [config.certificates[0] ?? "", stranger.certificate] };
    for (const pair of [{}, { key: stranger.privateKey, cert: stranger.certificate }])
      expect((await verify(await signedResponse(pair), { with: both })).identity.subject).toBe("ada-1815");
  });

  it("allows a minute's difference of clocks", async () => {
    const xml = await signedResponse();
    for (const minutes of [-0.9, 5.9]) await expect(verify(xml, { now: later(minutes) })).resolves.toBeDefined();
  });

  it("reads the end of the session at the provider, several groups, and names of other attributes", async () => {
    const end = later(30);
    const xml = signed(
      edited(unsigned(await signedResponse()), (root) => {
        first(root, "AuthnStatement").setAttribute("SessionNotOnOrAfter", end.toISOString());
        const groups = elementsNamed(root, ASSERTION, "Attribute").at(-1) as Element;
        groups.setAttribute("Name", "teams");
        const [value] = elementsNamed(groups, ASSERTION, "AttributeValue");
        const copy = value?.cloneNode() as Element;
        copy.textContent = " operators ";
        groups.appendChild(copy);
      }),
      "Assertion",
      { privateKey: provider.responseOptions().key, certificate: provider.certificate },
    );
    const attributes = { ...config.attributes, groups: "teams" };
    const { identity } = await verify(xml, { with: { ...config, attributes } });
    expect(identity.sessionEndsAt).toEqual(end);
    expect(identity.groups).toEqual(["engineers", "operators"]);
    await expect(verify(xml, { with: { ...config, attributes }, now: later(5) })).resolves.toBeDefined();
  });

  it("knows no groups if there is a link instead of them", async () => {
    const link = "http://schemas.microsoft.com/claims/groups.link";
    const xml = await genuine((root) => elementsNamed(root, ASSERTION, "Attribute").at(-1)?.setAttribute("Name", link));
    expect((await verify(xml)).identity.groups).toBeNull();
  });

  it.each([
    ["SHA-512", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", "http://www.w3.org/2001/04/xmlenc#sha512"],
    ["RSA-PSS", "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", "http://www.w3.org/2001/04/xmlenc#sha256"],
  ])("may be signed with %s", async (_name, algorithm, digest) => {
    const own = { privateKey: provider.responseOptions().key, certificate: provider.certificate };
    const xml = signed(unsigned(await signedResponse()), "Assertion", own, { algorithm, digest });
    expect((await verify(xml)).identity.subject).toBe("ada-1815");
  });

  it("takes the name id for the address if its format says so", async () => {
    const own = { privateKey: provider.responseOptions().key, certificate: provider.certificate };
    const xml = edited(unsigned(await signedResponse()), (root) => {
      const nameId = first(root, "NameID");
      nameId.setAttribute("Format", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");
      nameId.textContent = "ada@acme.example";
      const statement = first(root, "AttributeStatement");
      statement.parentNode?.removeChild(statement);
    });
    expect((await verify(signed(xml, "Assertion", own))).identity).toMatchObject({
      subject: "ada@acme.example",
      email: "ada@acme.example",
      groups: [],
      claims: {},
    });
  });
});

type Attack = readonly [
  name: string,
  problem: SamlProblem,
  message: RegExp,
  make: () => Promise<string> | string,
  now?: () => Date,
];

/** Signs again what was changed, as a provider that is wrong but genuine would. */
async function genuine(edit: (root: Element) => void, options: Parameters<typeof signed>[3] = {}): Promise<string> {
  const own = { privateKey: provider.responseOptions().key, certificate: provider.certificate };
  return signed(edited(unsigned(await signedResponse()), edit), "Assertion", own, options);
}

const ATTACKS: readonly Attack[] = [
  [
    "another issuer",
    "wrong_issuer",
    /issuer of the response is "https:\/\/evil\.example", expected "http:/,
    () => signedResponse({ issuer: "https://evil.example" }),
  ],
  [
    "another issuer of the assertion only",
    "wrong_issuer",
    /issuer of the assertion is "x"/,
    () => genuine((root) => void (first(first(root, "Assertion"), "Issuer").textContent = "x")),
  ],
  [
    "no signature",
    "unsigned",
    /Neither the response nor its assertion is signed/,
    async () => unsigned(await signedResponse()),
  ],
  [
    "an assertion changed after it was signed",
    "wrong_signature",
    /signature of the assertion doesn't verify/,
    async () => (await signedResponse()).replace("ada@acme.example", "eve@acme.example"),
  ],
  [
    "a response changed after it was signed",
    "wrong_signature",
    /signature of the response doesn't verify/,
    async () => (await signedResponse({ signResponse: true })).replace("ada@acme.example", "eve@acme.example"),
  ],
  [
    "the signature of another response",
    "misplaced_signature",
    /has the id|is of another element/,
    async () => {
      const other = /<Signature.*<\/Signature>/.exec(await signedResponse())?.[0] ?? "";
      return unsigned(await signedResponse()).replace(
        "</saml:Issuer><saml:Subject>",
        `</saml:Issuer>${other}<saml:Subject>`,
      );
    },
  ],
  [
    "the key of a stranger",
    "wrong_signature",
    /is signed with the certificate ([0-9A-F]{2}:){31}[0-9A-F]{2}, expected ([0-9A-F]{2}:){31}/,
    () => signedResponse({ key: stranger.privateKey, cert: stranger.certificate }),
  ],
  [
    "the key of a stranger who names the provider's certificate",
    "wrong_signature",
    /doesn't verify with the connection's certificate/,
    () => signedResponse({ key: stranger.privateKey }),
  ],
  [
    "a signature by SHA-1",
    "weak_algorithm",
    /signature algorithm "rsa-sha1" is broken/,
    () => signedResponse({ signatureAlgorithm: "rsa-sha1" }),
  ],
  [
    "a digest by SHA-1",
    "weak_algorithm",
    /digest algorithm "sha1" is broken/,
    () => signedResponse({ digestAlgorithm: "sha1" }),
  ],
  [
    "an HMAC with the certificate as its secret",
    "weak_algorithm",
    /"hmac-sha1" uses a shared secret/,
    () => genuine(() => undefined, { algorithm: HMAC }),
  ],
  [
    "a transform that could remove what is signed",
    "unsupported_algorithm",
    /transform "http:\/\/www\.w3\.org\/TR\/1999\/REC-xpath-19991116" isn't supported/,
    async () =>
      (await signedResponse()).replace(
        'http://www.w3.org/2001/10/xml-exc-c14n#"/></Transforms>',
        'http://www.w3.org/TR/1999/REC-xpath-19991116"/></Transforms>',
      ),
  ],
  [
    "a comment in the name id",
    "forbidden_xml",
    /comment in "saml:NameID"/,
    async () => (await signedResponse()).replace("ada-1815", "ada<!---->-1815"),
  ],
  [
    "a processing instruction",
    "forbidden_xml",
    /processing instruction/,
    async () => (await signedResponse()).replace("ada-1815", "ada<?x y?>-1815"),
  ],
  [
    "a document type with entities",
    "forbidden_xml",
    /document type declaration/,
    async () =>
      `<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${(await signedResponse()).replace("ada-1815", "&b;")}`,
  ],
  [
    "an external entity",
    "forbidden_xml",
    /document type declaration/,
    async () => `<!doctype x SYSTEM "file:///etc/passwd">${await signedResponse()}`,
  ],
  ["expired", "expired", /was valid until/, () => signedResponse(), () => later(6.1)],
  ["not yet valid", "not_yet_valid", /compare the clocks/, () => signedResponse(), () => later(-1.1)],
  [
    "the end of the session in the past",
    "expired",
    /session at the provider ended/,
    () => genuine((root) => first(root, "AuthnStatement").setAttribute("SessionNotOnOrAfter", later(-2).toISOString())),
  ],
  [
    "another audience",
    "wrong_audience",
    /audience of the assertion is "https:\/\/other\.example", expected/,
    () => signedResponse({ audience: "https://other.example" }),
  ],
  [
    "no audience",
    "wrong_audience",
    /audience of the assertion is none/,
    () =>
      genuine(
        (root) => void first(root, "AudienceRestriction").parentNode?.removeChild(first(root, "AudienceRestriction")),
      ),
  ],
  [
    "no conditions",
    "wrong_structure",
    /no conditions/,
    () => genuine((root) => void first(root, "Conditions").parentNode?.removeChild(first(root, "Conditions"))),
  ],
  [
    "another recipient",
    "wrong_recipient",
    /recipient of the assertion is "https:\/\/other\.example\/acs"/,
    () => signedResponse({ recipient: "https://other.example/acs" }),
  ],
  [
    "another destination",
    "wrong_recipient",
    /destination of the response is "https:\/\/other\.example\/acs"/,
    () => signedResponse({ destination: "https://other.example/acs" }),
  ],
  [
    "an answer to another request",
    "wrong_request",
    /answers the request "_request-2", expected "_request-1"/,
    () => signedResponse({ inResponseTo: "_request-2" }),
  ],
  [
    "an answer to another request in the assertion only",
    "wrong_request",
    /"_request-2"/,
    () => genuine((root) => first(root, "SubjectConfirmationData").setAttribute("InResponseTo", "_request-2")),
  ],
  ["an answer to no request", "unsolicited", /must start at Signalbox/, () => signedResponse({ inResponseTo: "" })],
  [
    "an unending confirmation",
    "wrong_structure",
    /until when it is valid/,
    () => genuine((root) => first(root, "SubjectConfirmationData").removeAttribute("NotOnOrAfter")),
  ],
  [
    "a holder-of-key confirmation",
    "wrong_structure",
    /no bearer confirmation/,
    () =>
      genuine((root) =>
        first(root, "SubjectConfirmation").setAttribute("Method", "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key"),
      ),
  ],
  [
    "a transient name id",
    "no_subject",
    /transient/,
    () =>
      genuine((root) =>
        first(root, "NameID").setAttribute("Format", "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
      ),
  ],
  ["no name id", "no_subject", /no name id/, () => genuine((root) => void (first(root, "NameID").textContent = ""))],
  [
    "encrypted for another key",
    "not_decryptable",
    /can't be decrypted with the connection's key/,
    () => signedResponse(encryption(stranger.certificate)),
  ],
  [
    "encrypted, and signed by a stranger",
    "wrong_signature",
    /is signed with the certificate/,
    () => signedResponse({ ...encryption(config.spCertificate), key: stranger.privateKey, cert: stranger.certificate }),
  ],
  [
    "encrypted without a signature",
    "unsigned",
    /Neither/,
    () => signedResponse({ ...encryption(config.spCertificate), signAssertion: false }),
  ],
  [
    "encrypted by triple DES",
    "weak_algorithm",
    /"tripledes-cbc" is broken/,
    () =>
      signedResponse({
        ...encryption(config.spCertificate, "http://www.w3.org/2001/04/xmlenc#tripledes-cbc"),
      }),
  ],
  [
    "a huge body",
    "too_large",
    /larger than 256 kB/,
    async () => (await signedResponse()).replace("ada-1815", "a".repeat(300_000)),
  ],
  [
    "deep nesting",
    "too_large",
    /nested elements/,
    async () => (await signedResponse()).replace("ada-1815", `${"<a>".repeat(1000)}${"</a>".repeat(1000)}`),
  ],
  [
    "many elements",
    "too_large",
    /more than 5000 elements/,
    async () => (await signedResponse()).replace("ada-1815", "<a/>".repeat(10_001)),
  ],
  [
    "many attributes",
    "too_large",
    /more than 6000 attributes/,
    async () =>
      (await signedResponse()).replace(
        "ada-1815",
        `<a ${Array.from({ length: 10_001 }, (_, at) => `a${at}=""`).join(" ")}/>`,
      ),
  ],
  [
    "a NUL in the name id",
    "not_xml",
    /a character that XML doesn't allow/,
    async () => (await signedResponse()).replace("ada-1815", "ada&#0;"),
  ],
  ["text that isn't XML", "not_xml", /isn't well-formed XML/, () => "hello"],
  ["a broken document", "not_xml", /isn't well-formed XML/, async () => (await signedResponse()).slice(0, -20)],
  [
    "another message",
    "wrong_structure",
    /Expected a SAML 2\.0 response, found "samlp:Other"/,
    async () => (await signedResponse()).replaceAll("samlp:Response", "samlp:Other"),
  ],
  [
    "a refusal",
    "status",
    /refused: "Responder"/,
    async () => (await signedResponse()).replace("status:Success", "status:Responder"),
  ],
];

describe("a hostile provider, or a stranger", () => {
  it.each(ATTACKS.map((attack) => ({ name: attack[0], attack })))("is refused: $name", async ({ attack }) => {
    const [, problem, message, make, now = () => new Date()] = attack;
    const failure = await verify(await make(), { now: now() }).then(
      () => null,
      (error: unknown) => error as SamlError,
    );
    expect(failure).toMatchObject({ name: "SamlError", problem });
    expect(failure?.message).toMatch(message);
  });

  it.each(Object.entries(WRAPPINGS))("doesn't forge by %s", async (_name, wrap) => {
    for (const signing of [{}, { signResponse: true }, { signResponse: true, signAssertion: false }]) {
      const forged = wrap(await signedResponse(signing));
      const failure = await verify(forged).then(
        ({ identity }) => identity.subject,
        (error: unknown) => error as SamlError,
      );
      expect(failure).toMatchObject({ name: "SamlError" });
    }
  });

  it("is told that base64 is expected", async () => {
    await expect(verifyResponse("%%%", { config, now: new Date() })).rejects.toThrow("base64");
  });
});
