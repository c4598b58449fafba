import "server-only";
import { sign, verify } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { SamlError } from "./saml-error";
import { checkAlgorithm, SIGNATURE_ALGORITHMS, wrongSignature } from "./saml-signature";
import { decodeBase64, decodeText } from "./saml-xml";
import { MAX_MESSAGE_BYTES } from "./vocabulary";

/** The parameter that carries a message. */
export type MessageParameter = "SAMLRequest" | "SAMLResponse";

const RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/** Encodes a value so that no browser encodes it again, which would break the signature. */
const encoded = (value: string) =>
  encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Builds the address of a signed message by HTTP redirect (SAML bindings, section 3.4). */
export function redirectAddress(
  target: string,
  { parameter, xml, relayState }: { parameter: MessageParameter; xml: string; relayState: string | null },
  privateKey: string,
): string {
  const parameters: [string, string][] = [
    [parameter, deflateRawSync(xml).toString("base64")],
    ...(relayState === null ? [] : [["RelayState", relayState] satisfies [string, string]]),
    ["SigAlg", RSA_SHA256],
  ];
  const signed = parameters.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  const signature = sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64");
  const separator = target.includes("?") ? "&" : "?";
  return `${target}${separator}${signed}&Signature=${encoded(signature)}`;
}

/**
 * Verifies a message by HTTP redirect and returns its XML. The signature is of the parameters as they were encoded.
 * @param query the query of the address, not decoded
 */
export function verifiedRedirect(
  query: string,
  parameter: MessageParameter,
  certificates: readonly string[],
): { xml: string; relayState: string | null } {
  const parameters = parametersOf(query);
  const valueOf = (name: string) => decoded(parameters.get(name));
  const message = valueOf(parameter);
  const signature = valueOf("Signature");
  if (message === null) throw new SamlError("wrong_structure", `The address has no parameter ${parameter}`);
  if (signature === null) throw new SamlError("unsigned", "The message isn't signed");
  const algorithm = valueOf("SigAlg");
  checkAlgorithm(algorithm, [...SIGNATURE_ALGORITHMS.keys()], "The signature algorithm");
  const signed = [parameter, "RelayState", "SigAlg"]
    .filter((each) => parameters.has(each))
    .map((each) => `${each}=${parameters.get(each)}`)
    .join("&");
  const name = SIGNATURE_ALGORITHMS.get(algorithm ?? "");
  const bytes = decodeBase64(signature, "signature");
  if (!certificates.some((certificate) => isSignedBy(certificate, name, signed, bytes)))
    throw wrongSignature("message", null, certificates);
  return { xml: inflated(decodeBase64(message, "message")), relayState: valueOf("RelayState") };
}

/** A certificate whose key can't have made such a signature hasn't. */
function isSignedBy(certificate: string, algorithm: string | undefined, text: string, signature: Buffer): boolean {
  try {
    return verify(algorithm, Buffer.from(text), certificate, signature);
  } catch {
    return false;
  }
}

/** Parameters by name, as they are encoded. Refuses one that occurs twice, of which the wrong one could be read. */
function parametersOf(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.replace(/^\?/, "").split("&")) {
    const at = part.indexOf("=");
    const name = decoded(at < 0 ? part : part.slice(0, at)) ?? "";
    if (parameters.has(name)) throw new SamlError("wrong_structure", "The address has a parameter twice");
    parameters.set(name, at < 0 ? "" : part.slice(at + 1));
  }
  return parameters;
}

function decoded(value: string | undefined): string | null {
  if (value === undefined) return null;
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    throw new SamlError("wrong_structure", "The address isn't encoded correctly");
  }
}

function inflated(bytes: Buffer): string {
  let text: Buffer;
  try {
    text = inflateRawSync(bytes, { maxOutputLength: MAX_MESSAGE_BYTES });
  } catch (error) {
    throw error instanceof RangeError
      ? new SamlError("too_large", `The message is larger than ${MAX_MESSAGE_BYTES / 1024} kB`)
      : new SamlError("not_xml", "The message isn't compressed by DEFLATE", { cause: error });
  }
  return decodeText(text, "message");
}
