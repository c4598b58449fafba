import "server-only";
import { X509Certificate } from "node:crypto";
import { SamlError } from "./saml-error";

export interface CertificateFacts {
  /** SHA-256 of the certificate, in hexadecimal with colons. */
  fingerprint: string;
  subject: string;
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

export function describeCertificate(pem: string): CertificateFacts {
  const certificate = parse(pem);
  return {
    fingerprint: certificate.fingerprint256,
    subject: certificate.subject,
    validFrom: new Date(certificate.validFrom),
    validTo: new Date(certificate.validTo),
  };
}

/** The SHA-256 fingerprint of a certificate, or null if the text isn't one. */
export function fingerprintOf(text: string): string | null {
  try {
    return parse(pemOf(text)).fingerprint256;
  } catch {
    return null;
  }
}
