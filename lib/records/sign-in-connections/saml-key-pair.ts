import "reflect-metadata";
import { KeyUsageFlags, KeyUsagesExtension, PemConverter, X509CertificateGenerator } from "@peculiar/x509";

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
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
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
    crypto,
  );
  return {
    privateKey: `${PemConverter.encode(await crypto.subtle.exportKey("pkcs8", keys.privateKey), PemConverter.PrivateKeyTag)}\n`,
    certificate: `${certificate.toString("pem")}\n`,
  };
}
