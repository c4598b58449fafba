import { decrypt } from "xml-encryption";
import { checkInResponseTo, checkIssuer, readAssertion, type Expected, type VerifiedAssertion } from "./saml-assertion";
import { wireOf, type SamlConfig } from "./saml-config";
import { quoted, SamlError } from "./saml-error";
import { checkCiphers, checkSignatures, wrongSignature } from "./saml-signature";
import {
  ASSERTION,
  attributeOf,
  childrenOf,
  decodeBase64,
  decodeText,
  elementsOf,
  ENCRYPTION,
  isNamed,
  onlyChild,
  parseXml,
  PROTOCOL,
  serialized,
  textOf,
} from "./saml-xml";

const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";

/**
 * Verifies the response of a provider to a sign-in request, as a browser posts it, and returns whom it is about.
 * @throws SamlError that names what was expected and found
 */
export async function verifyResponse(message: string, expected: Expected): Promise<VerifiedAssertion> {
  const { config } = expected;
  const response = parseXml(decodeText(decodeBase64(message, "response"), "response"), "response");
  if (!isNamed(response, PROTOCOL, "Response") || attributeOf(response, "Version") !== "2.0")
    throw new SamlError("wrong_structure", `Expected a SAML 2.0 response, found ${quoted(response.nodeName)}`);
  const issuer = onlyChild(response, ASSERTION, "Issuer");
  if (issuer) checkIssuer(issuer, config, "response");
  checkStatus(response);
  const holder = assertionOf(response);
  const isEncrypted = holder.localName === "EncryptedAssertion";
  const assertion = isEncrypted ? await decrypted(holder, config) : holder;
  const [ofResponse = null, ofPlain = null] = checkSignatures(response, isEncrypted ? [response] : [response, holder]);
  const [ofAssertion = null] = isEncrypted ? checkSignatures(assertion, [assertion]) : [ofPlain];
  if (!ofResponse && !ofAssertion) throw new SamlError("unsigned", "Neither the response nor its assertion is signed");
  checkAddressee(response, config, Boolean(ofResponse));
  const verified = await verifiedAssertion(message, config, { ofResponse, ofAssertion });
  const read = readAssertion(parseXml(verified, "assertion"), expected);
  if (response.hasAttribute("InResponseTo"))
    checkInResponseTo(attributeOf(response, "InResponseTo"), read.inResponseTo);
  return read;
}

/** A refusal isn't signed by all providers, and needs not be: it lets nobody in. */
function checkStatus(response: Element) {
  const status = onlyChild(response, PROTOCOL, "Status");
  const code = status && onlyChild(status, PROTOCOL, "StatusCode");
  const value = code && attributeOf(code, "Value");
  if (value === SUCCESS) return;
  const inner = code && onlyChild(code, PROTOCOL, "StatusCode");
  const codes = [value, inner && attributeOf(inner, "Value")].flatMap((one) => one?.replace(/^.*:/, "") ?? []);
  const text = status && textOf(onlyChild(status, PROTOCOL, "StatusMessage"));
  throw new SamlError(
    "status",
    `The identity provider refused: ${quoted(codes.join(", "))}${text ? `, with the message ${quoted(text)}` : ""}`,
  );
}

/** Returns the only assertion, plain or encrypted. One more anywhere could be the signed one while this is read. */
function assertionOf(response: Element): Element {
  const all = [...elementsOf(response)].filter(({ localName }) =>
    ["Assertion", "EncryptedAssertion"].includes(localName),
  );
  const [first] = all;
  if (!first) throw new SamlError("wrong_structure", "The response has no assertion");
  if (all.length > 1)
    throw new SamlError("misplaced_signature", `The response has ${all.length} assertions, expected one`);
  if (first.namespaceURI !== ASSERTION || first.parentNode !== response)
    throw new SamlError(
      "misplaced_signature",
      `The assertion is in ${quoted(first.parentNode?.nodeName)}, expected in the response`,
    );
  return first;
}

async function decrypted(holder: Element, { spPrivateKey }: SamlConfig): Promise<Element> {
  const [data, ...others] = childrenOf(holder).filter((child) => isNamed(child, ENCRYPTION, "EncryptedData"));
  if (!data || others.length > 0)
    throw new SamlError("wrong_structure", "The encrypted assertion doesn't have exactly one EncryptedData element");
  checkCiphers(holder);
  const xml = await new Promise<string>((resolve, reject) => {
    decrypt(serialized(holder), { key: spPrivateKey }, (error: Error | null, text?: string) =>
      error || text === undefined
        ? reject(
            new SamlError(
              "not_decryptable",
              "The assertion can't be decrypted with the connection's key: give the provider the connection's current certificate",
              { cause: error },
            ),
          )
        : resolve(text),
    );
  });
  return parseXml(xml, "decrypted assertion");
}

/** The response must be addressed to this connection. A signed one must say so, an unsigned one may. */
function checkAddressee(response: Element, { acsUrl }: SamlConfig, isSigned: boolean) {
  const destination = attributeOf(response, "Destination");
  if (destination === null ? isSigned : destination !== acsUrl)
    throw new SamlError(
      "wrong_recipient",
      `The destination of the response is ${quoted(destination)}, expected ${quoted(acsUrl)}`,
    );
}

/** Verifies every signature of the response, and returns the XML of the assertion as it was signed. */
async function verifiedAssertion(
  message: string,
  config: SamlConfig,
  { ofResponse, ofAssertion }: { ofResponse: Element | null; ofAssertion: Element | null },
): Promise<string> {
  const signed = { response: ofResponse !== null, assertion: ofAssertion !== null };
  let cause: unknown;
  try {
    const { profile } = await wireOf(config, { signed }).validatePostResponseAsync({ SAMLResponse: message });
    const xml = profile?.getAssertionXml?.();
    if (xml !== undefined) return xml;
  } catch (error) {
    cause = error;
  }
  const isOfResponse = cause instanceof Error ? cause.message.includes("document") : signed.response;
  throw Object.assign(
    isOfResponse
      ? wrongSignature("response", ofResponse, config.certificates)
      : wrongSignature("assertion", ofAssertion ?? ofResponse, config.certificates),
    { cause },
  );
}
