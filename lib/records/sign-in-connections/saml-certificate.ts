import "server-only";
import { X509Certificate } from "node:crypto";
import { SamlError } from "./saml-error";

/** What tells certificates apart. */
export interface CertificateFacts {
  subject: string;
  /** Fingerprint, in hexadecimal with colons. */
  sha256: string;
  validFrom: Date;
  validTo: Date;
}

const LINE = /.{1,64}/g;
/** Shortest RSA key that is accepted, in bits (NIST SP 800-131A). */
const MIN_KEY_BITS = 2048;

/** Formats the base64 text of an `X509Certificate` element, or a PEM file, as PEM. */
export function pemOf(text: string): string {
  const base64 = text.replaceAll(/-----[A-Z ]+-----|\s/g, "");
  return `-----BEGIN CERTIFICATE-----\n${base64.match(LINE)?.join("\n") ?? ""}\n-----END CERTIFICATE-----\n`;
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new SamlError("wrong_certificate", "The certificate isn't an X.509 certificate in PEM format", {
      cause: error,
    });
  }
}

/** Returns a certificate as PEM. Signatures are verified with RSA keys only. */
export function acceptedCertificate(text: string): string {
  const pem = pemOf(text);
  const { asymmetricKeyType: kind, asymmetricKeyDetails: details } = parse(pem).publicKey;
  if (kind !== "rsa" && kind !== "rsa-pss")
    throw new SamlError("wrong_certificate", `The certificate has a key of type ${kind ?? "unknown"}, expected RSA`);
  if ((details?.modulusLength ?? 0) < MIN_KEY_BITS)
    throw new SamlError(
      "wrong_certificate",
      `The certificate has a key of ${details?.modulusLength ?? 0} bits, expected at least ${MIN_KEY_BITS}`,
    );
  return pem;
}

/** Returns why a certificate isn't accepted, or null. */
export function certificateProblem(text: string): string | null {
  try {
    acceptedCertificate(text);
    return null;
  } catch (error) {
    if (error instanceof SamlError) return error.message;
    throw error;
  }
}

/** Describes a certificate, or returns null if the text isn't one. */
export function describeCertificate(text: string): CertificateFacts | null {
  try {
    const { subject, fingerprint256, validFrom, validTo } = parse(pemOf(text));
    return {
      subject: subject.replaceAll("\n", ", "),
      sha256: fingerprint256,
      validFrom: new Date(validFrom),
      validTo: new Date(validTo),
    };
  } catch {
    return null;
  }
}

export const fingerprintOf = (text: string): string | null => describeCertificate(text)?.sha256 ?? null;
