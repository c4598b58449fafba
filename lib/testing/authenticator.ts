import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { PasskeyAnswer, PasskeyRegistration } from "../records/session/factors-contract";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha = (data: string | Buffer) => createHash("sha256").update(data).digest();
const uint = (size: 2 | 4, value: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
};
/** Encodes a byte string longer than 23 bytes as CBOR, in its shortest form. */
const bytesOf = (data: Buffer) =>
  Buffer.concat([
    data.length < 256 ? Buffer.from([0x58, data.length]) : Buffer.from([0x59, ...uint(2, data.length)]),
    data,
  ]);
/** Encodes a short text as CBOR. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** A passkey in software, which responds to challenges like a browser with a verified user. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: Buffer;
  #counter = 0;

  constructor(
    private readonly origin: string,
    private readonly isVerified = true,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#privateKey = privateKey;
    // COSE: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    this.#publicKey = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytesOf(Buffer.from(x, "base64url")),
      Buffer.from([0x22]),
      bytesOf(Buffer.from(y, "base64url")),
    ]);
  }

  #data(flags: number): Buffer {
    const verified = this.isVerified ? USER_VERIFIED : 0;
    return Buffer.concat([
      sha(new URL(this.origin).hostname),
      Buffer.from([flags | USER_PRESENT | verified]),
      uint(4, ++this.#counter),
    ]);
  }

  #client(type: "webauthn.create" | "webauthn.get", challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #credential() {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  create({ challenge }: { challenge: string }): PasskeyRegistration {
    const data = Buffer.concat([
      this.#data(HAS_CREDENTIAL),
      Buffer.alloc(16),
      uint(2, this.#id.length),
      this.#id,
      this.#publicKey,
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      text("fmt"),
      text("none"),
      text("attStmt"),
      Buffer.from([0xa0]),
      text("authData"),
      bytesOf(data),
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#client("webauthn.create", challenge).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  answer({ challenge }: { challenge: string }): PasskeyAnswer {
    const data = this.#data(0);
    const client = this.#client("webauthn.get", challenge);
    const signature = sign("sha256", Buffer.concat([data, sha(client)]), this.#privateKey);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  }
}
