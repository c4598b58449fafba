import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { edited, signed } from "../../testing/saml-attacks";
import { samlConfigFor } from "../../testing/saml-config";
import { readServiceMetadata, SamlProvider } from "../../testing/saml-provider";
import type { SamlConfig } from "./saml-config";
import type { SamlProblem } from "./saml-error";
import { generateKeyPair, type KeyPair } from "./saml-key-pair";
import { logoutAddress, logoutAnswerAddress, verifyLogoutRequest } from "./saml-logout";
import { serviceMetadata } from "./saml-metadata";
import { redirectAddress } from "./saml-redirect";
import { ASSERTION, elementsNamed } from "./saml-xml";

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

const manually = { redirect: "manual" } as const;
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);
const nameId = () => ({
  value: provider.person.id,
  format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
  nameQualifier: null,
  spNameQualifier: null,
});

/** The address to which the provider sends the browser when its person signs out there. */
async function providerLogout(): Promise<URL> {
  const response = await fetch(provider.sloUrl, manually);
  return new URL(response.headers.get("location") ?? "");
}

const own = () => ({ privateKey: provider.responseOptions().key, certificate: provider.certificate });

function logoutRequest({
  destination = config.logoutUrl,
  issuer = config.idpEntityId,
  at = new Date(),
  extra = "",
} = {}): string {
  return (
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_logout" Version="2.0" IssueInstant="${at.toISOString()}" Destination="${destination}">` +
    `<saml:Issuer xmlns:saml="${ASSERTION}">${issuer}</saml:Issuer><saml:NameID xmlns:saml="${ASSERTION}">ada-1815</saml:NameID>${extra}</samlp:LogoutRequest>`
  );
}
const posted = (xml: string) => ({ form: { SAMLRequest: Buffer.from(xml).toString("base64") } });
const redirected = (xml: string, privateKey = own().privateKey) => ({
  query: new URL(redirectAddress(config.logoutUrl, { parameter: "SAMLRequest", xml, relayState: "r 1~*'" }, privateKey))
    .search,
});

describe("a sign-out at the provider", () => {
  it("names the person and session, and is answered to the provider's satisfaction", async () => {
    const { search, origin, pathname } = await providerLogout();
    expect(`${origin}${pathname}`).toBe(config.logoutUrl);
    const request = await verifyLogoutRequest(config, { query: search }, new Date());
    expect(request).toMatchObject({ subject: "ada-1815", sessions: [provider.sessionIndex] });
    expect(request.relayState).not.toBeNull();
    const answer = logoutAnswerAddress(config, { id: "_answer", answers: request.id, relayState: request.relayState });
    const finished = await fetch(answer ?? "", manually);
    expect([finished.status, await finished.text()]).toEqual([200, "signed out"]);
  });

  it("may be posted, and name several sessions or none", async () => {
    const sessions = "<samlp:SessionIndex>a</samlp:SessionIndex><samlp:SessionIndex>b</samlp:SessionIndex>";
    for (const [extra, expected] of [
      [sessions, ["a", "b"]],
      ["", []],
    ] as const) {
      const message = posted(signed(logoutRequest({ extra }), "LogoutRequest", own()));
      expect((await verifyLogoutRequest(config, message, new Date())).sessions).toEqual(expected);
    }
  });

  it("keeps any relay state", async () => {
    const { relayState } = await verifyLogoutRequest(config, redirected(logoutRequest()), new Date());
    expect(relayState).toBe("r 1~*'");
  });
});

describe("a sign-out at Signalbox", () => {
  it("is accepted by the provider", async () => {
    const address = await logoutAddress(config, { id: "_out", nameId: nameId(), session: provider.sessionIndex });
    const response = await fetch(address ?? "", manually);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toMatch(new RegExp(`^${config.logoutUrl}\\?SAMLResponse=`));
  });

  it("is refused by the provider if it is signed with another key", async () => {
    const forged = { ...config, spPrivateKey: stranger.privateKey };
    const address = await logoutAddress(forged, { id: "_out", nameId: nameId(), session: provider.sessionIndex });
    expect((await fetch(address ?? "", manually)).status).toBe(400);
  });

  it("stays at Signalbox if the provider has no address for it", async () => {
    const without = { ...config, sloUrl: null };
    expect(await logoutAddress(without, { id: "_out", nameId: nameId(), session: null })).toBeNull();
    expect(logoutAnswerAddress(without, { id: "_a", answers: "_b", relayState: null })).toBeNull();
  });
});

type Message = Parameters<typeof verifyLogoutRequest>[1];
type Attack = readonly [
  name: string,
  problem: SamlProblem,
  message: RegExp,
  make: () => Message | Promise<Message>,
  now?: () => Date,
];

const ATTACKS: readonly Attack[] = [
  ["without a signature, posted", "unsigned", /isn't signed/, () => posted(logoutRequest())],
  [
    "without a signature, by redirect",
    "unsigned",
    /isn't signed/,
    async () => {
      const { searchParams } = await providerLogout();
      return { query: `SAMLRequest=${encodeURIComponent(searchParams.get("SAMLRequest") ?? "")}` };
    },
  ],
  [
    "by a stranger, posted",
    "wrong_signature",
    /signed with the certificate/,
    () => posted(signed(logoutRequest(), "LogoutRequest", stranger)),
  ],
  [
    "by a stranger, by redirect",
    "wrong_signature",
    /doesn't verify/,
    () => redirected(logoutRequest(), stranger.privateKey),
  ],
  [
    "changed after it was signed",
    "wrong_signature",
    /doesn't verify/,
    () => posted(signed(logoutRequest(), "LogoutRequest", own()).replace("ada-1815", "eve")),
  ],
  [
    "with another relay state than the signed one",
    "wrong_signature",
    /doesn't verify/,
    async () => {
      const { search } = await providerLogout();
      return { query: search.replace(/RelayState=[^&]*/, "RelayState=other") };
    },
  ],
  [
    "with two messages in the address",
    "wrong_structure",
    /a parameter twice/,
    async () => ({ query: `${(await providerLogout()).search}&SAMLRequest=abc` }),
  ],
  [
    "with SHA-1 in the address",
    "weak_algorithm",
    /"rsa-sha1" is broken/,
    async () => {
      const { search } = await providerLogout();
      return {
        query: search.replace(
          /SigAlg=[^&]*/,
          `SigAlg=${encodeURIComponent("http://www.w3.org/2000/09/xmldsig#rsa-sha1")}`,
        ),
      };
    },
  ],
  [
    "in a signature that wraps another",
    "misplaced_signature",
    /is of another element/,
    () =>
      posted(
        edited(signed(logoutRequest(), "LogoutRequest", own()), (root) => {
          const copy = root.cloneNode(true) as Element;
          root.setAttribute("ID", "_evil");
          (elementsNamed(root, ASSERTION, "NameID")[0] as Element).textContent = "eve";
          root.appendChild(copy);
        }),
      ),
  ],
  [
    "of another issuer",
    "wrong_issuer",
    /issuer of the logout request/,
    () => redirected(logoutRequest({ issuer: "https://evil.example" })),
  ],
  [
    "to another address",
    "wrong_recipient",
    /destination of the logout request/,
    () => redirected(logoutRequest({ destination: "https://evil.example" })),
  ],
  ["too old", "expired", /has expired/, () => redirected(logoutRequest({ at: later(-7) }))],
  ["from the future", "not_yet_valid", /in the future/, () => redirected(logoutRequest({ at: later(2) }))],
  [
    "that is another message",
    "wrong_structure",
    /Expected a SAML 2\.0 logout request/,
    () => redirected(logoutRequest().replaceAll("LogoutRequest", "AuthnRequest")),
  ],
  [
    "that inflates without end",
    "too_large",
    /larger than 256 kB/,
    () => redirected(logoutRequest({ extra: "<a>".repeat(200_000) })),
  ],
];

describe("a logout request", () => {
  it("isn't signed by a certificate that can't be read", async () => {
    const certificates = [provider.certificate.replaceAll("\n", "")];
    const { search } = await providerLogout();
    const refused = verifyLogoutRequest({ ...config, certificates }, { query: search }, new Date());
    await expect(refused).rejects.toMatchObject({ name: "SamlError", problem: "wrong_signature" });
  });

  it.each(ATTACKS.map((attack) => ({ name: attack[0], attack })))("is refused: $name", async ({ attack }) => {
    const [, problem, message, make, now = () => new Date()] = attack;
    const refusal = expect(verifyLogoutRequest(config, await make(), now())).rejects;
    await refusal.toMatchObject({ name: "SamlError", problem, message: expect.stringMatching(message) });
  });
});
