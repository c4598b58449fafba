import { fingerprintOf } from "./saml-certificate";
import { quoted, SamlError } from "./saml-error";
import {
  attributeOf,
  childrenNamed,
  childrenOf,
  elementsNamed,
  elementsOf,
  ENCRYPTION,
  isNamed,
  SIGNATURE,
  textOf,
} from "./saml-xml";

const MORE = "http://www.w3.org/2001/04/xmldsig-more#";
/** URI of a signature algorithm, and its name in Node.js. */
export const SIGNATURE_ALGORITHMS = new Map([
  [`${MORE}rsa-sha256`, "RSA-SHA256"],
  [`${MORE}rsa-sha512`, "RSA-SHA512"],
]);
/** Signed documents may also use RSA-PSS. */
const PSS = "http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1";
const DIGESTS = [`${ENCRYPTION}sha256`, `${ENCRYPTION}sha512`];
const ENVELOPED = `${SIGNATURE}enveloped-signature`;
const EXCLUSIVE = ["http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/2001/10/xml-exc-c14n#WithComments"];

const DATA_CIPHERS = ["http://www.w3.org/2001/04/xmlenc#aes128-cbc", "http://www.w3.org/2001/04/xmlenc#aes256-cbc"];
const AUTHENTICATED_CIPHERS = [
  "http://www.w3.org/2009/xmlenc11#aes128-gcm",
  "http://www.w3.org/2009/xmlenc11#aes256-gcm",
];
const KEY_CIPHERS = [`${ENCRYPTION}rsa-oaep-mgf1p`];
const CIPHERS = [...DATA_CIPHERS, ...AUTHENTICATED_CIPHERS, ...KEY_CIPHERS];

/** Names that the verifying library looks up anywhere in a signature. */
const SINGLE = ["SignedInfo", "CanonicalizationMethod", "SignatureMethod", "Reference", "SignatureValue"];

const misplaced = (message: string) => new SamlError("misplaced_signature", message);

/** Refuses algorithms that are broken or need a shared secret, and others that aren't supported. */
export function checkAlgorithm(algorithm: string | null, accepted: readonly string[], use: string): void {
  if (algorithm !== null && accepted.includes(algorithm)) return;
  const name = algorithm?.replace(/^.*#/, "") ?? "";
  if (/hmac/i.test(name))
    throw new SamlError("weak_algorithm", `${use} ${quoted(name)} uses a shared secret; sign with RSA and SHA-256`);
  if (/sha1|md5/i.test(name) && !name.startsWith("rsa-oaep"))
    throw new SamlError("weak_algorithm", `${use} ${quoted(name)} is broken; sign with RSA and SHA-256`);
  if (/rsa-1_5|tripledes/i.test(name))
    throw new SamlError("weak_algorithm", `${use} ${quoted(name)} is broken; encrypt with AES and RSA-OAEP`);
  throw new SamlError(
    "unsupported_algorithm",
    `${use} ${quoted(algorithm)} isn't supported; supported are ${accepted.map((one) => one.replace(/^.*#/, "")).join(", ")}`,
  );
}

/**
 * Checks the shape of every signature in a document before any is verified, so that what is verified is what is read: no second element
 * with an id, no signature elsewhere than in the elements that may have one, and each signs exactly the element that it is in.
 * Signature wrapping needs one of these.
 * @returns the signature of each of the signable elements, or null
 */
export function checkSignatures(root: Element, signable: readonly Element[]): (Element | null)[] {
  checkIds(root);
  const signatures = elementsNamed(root, SIGNATURE, "Signature");
  for (const signature of signatures) {
    const parent = signature.parentNode as Element;
    if (!signable.includes(parent))
      throw misplaced(`A signature is in ${quoted(parent.nodeName)}, expected in ${namesOf(signable)}`);
    if (childrenNamed(parent, SIGNATURE, "Signature").length > 1)
      throw misplaced(`${quoted(parent.nodeName)} has several signatures`);
    checkSignature(signature, parent);
  }
  return signable.map((element) => signatures.find(({ parentNode }) => parentNode === element) ?? null);
}

const namesOf = (elements: readonly Element[]) => elements.map(({ nodeName }) => quoted(nodeName)).join(" or ");

function checkIds(root: Element) {
  const seen = new Set<string>();
  for (const element of elementsOf(root))
    for (const { localName, value } of Array.from(element.attributes)) {
      if (localName.toLowerCase() !== "id") continue;
      if (seen.has(value)) throw misplaced(`Two elements have the id ${quoted(value)}`);
      seen.add(value);
    }
}

function checkSignature(signature: Element, signed: Element) {
  const all = [...elementsOf(signature)];
  for (const name of SINGLE) {
    const found = all.filter(({ localName }) => localName === name);
    if (found.length !== 1 || found[0]?.namespaceURI !== SIGNATURE)
      throw misplaced(`The signature has ${found.length} ${name} elements, expected one`);
  }
  const foreign = childrenOf(signature).find(
    (child) => !["SignedInfo", "SignatureValue", "KeyInfo"].some((name) => isNamed(child, SIGNATURE, name)),
  );
  if (foreign) throw misplaced(`The signature contains ${quoted(foreign.nodeName)}, which isn't accepted`);
  const named = (name: string) => elementsNamed(signature, SIGNATURE, name);
  const algorithmsOf = (name: string) => named(name).map((element) => attributeOf(element, "Algorithm"));
  for (const algorithm of algorithmsOf("SignatureMethod"))
    checkAlgorithm(algorithm, [...SIGNATURE_ALGORITHMS.keys(), PSS], "The signature algorithm");
  for (const algorithm of algorithmsOf("DigestMethod")) checkAlgorithm(algorithm, DIGESTS, "The digest algorithm");
  for (const algorithm of algorithmsOf("CanonicalizationMethod"))
    checkAlgorithm(algorithm, EXCLUSIVE, "The canonicalization");
  const transforms = algorithmsOf("Transform");
  for (const algorithm of transforms) checkAlgorithm(algorithm, [ENVELOPED, ...EXCLUSIVE], "The transform");
  if (transforms.filter((one) => one === ENVELOPED).length !== 1 || transforms.length > 2)
    throw misplaced("The signature isn't an enveloped signature");
  const uri = attributeOf(named("Reference")[0] as Element, "URI");
  const id = attributeOf(signed, "ID");
  if (id === null || uri !== `#${id}`)
    throw misplaced(
      `The signature in ${quoted(signed.nodeName)} with the id ${quoted(id)} is of another element: ${quoted(uri)}`,
    );
}

/** Refuses ciphers by which a plaintext can be guessed. */
export function checkCiphers(encrypted: Element): void {
  const methods = [...elementsOf(encrypted)].filter(({ localName }) => localName === "EncryptionMethod");
  if (methods.length === 0)
    throw new SamlError("wrong_structure", "The encrypted assertion doesn't name its encryption algorithms");
  for (const method of methods) checkAlgorithm(attributeOf(method, "Algorithm"), CIPHERS, "The encryption algorithm");
}

/** The error for a signature that no certificate of the connection verifies. */
export function wrongSignature(what: string, signature: Element | null, certificates: readonly string[]): SamlError {
  const known = certificates.map(fingerprintOf);
  const named = signature ? elementsNamed(signature, SIGNATURE, "X509Certificate").map(textOf) : [];
  const other = named
    .map((text) => text && fingerprintOf(text))
    .find((fingerprint) => fingerprint && !known.includes(fingerprint));
  const which =
    certificates.length === 1
      ? "the connection's certificate"
      : `one of the connection's ${certificates.length} certificates`;
  return new SamlError(
    "wrong_signature",
    other
      ? `The ${what} is signed with the certificate ${other}, expected ${known.join(" or ")}`
      : `The signature of the ${what} doesn't verify with ${which}: the ${what} was changed, or is signed with another key`,
  );
}
