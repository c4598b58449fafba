import "server-only";
import "reflect-metadata";
import { KeyObject, webcrypto } from "node:crypto";
import { KeyUsageFlags, KeyUsagesExtension, X509CertificateGenerator } from "@peculiar/x509";

/** The private key and certificate of a connection, both in PEM. */
export interface KeyPair {
  privateKey: string;
  certificate: string;
}

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const VALID_YEARS = 10;

/** Generates the key pair by which a connection signs its requests and decrypts assertions, with a self-signed certificate. */
export async function generateKeyPair(commonName: string, now: Date): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [commonName] }],
      notBefore: now,
      notAfter,
      keys,
      signingAlgorithm: ALGORITHM,
      extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true)],
    },
    webcrypto as Crypto,
  );
  return {
    privateKey: KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: `${certificate.toString("pem")}\n`,
  };
}
