import { createHash, createHmac } from "node:crypto";

/** A request as it arrived, with the path and query of its first line. */
export interface Received {
  method: string;
  target: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const escape = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Computes the signature of a request by the published steps of Signature Version 4, for services that encode the path
 * twice. Independent of the signer in use.
 */
export function signatureOf(
  received: Received,
  signedHeaders: readonly string[],
  scope: string,
  secret: string,
): string {
  const [path = "/", query = ""] = received.target.split("?");
  const header = (name: string) => [received.headers[name]].flat().join(",").trim().replace(/ +/g, " ");
  const parameters = query === "" ? [] : query.split("&").map((pair) => pair.split("="));
  const canonical = [
    received.method,
    path.split("/").map(escape).join("/"),
    parameters
      .map(([name = "", value = ""]) => `${escape(decodeURIComponent(name))}=${escape(decodeURIComponent(value))}`)
      .sort()
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${header(name)}`),
    "",
    signedHeaders.join(";"),
    sha256(received.body),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", header("x-amz-date"), scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`);
  return hmac(key, toSign).toString("hex");
}

interface Expected {
  accessKeyId: string;
  secret: string;
  region: string;
  service: string;
  now: Date;
}

/** Headers that a signature must cover. */
const REQUIRED = ["host", "x-amz-date"];
const FIVE_MINUTES = 300_000;

/** Returns the problem of a request's signature; null when it is valid. */
export function signatureProblem(
  received: Received,
  { accessKeyId, secret, region, service, now }: Expected,
): string | null {
  const given = String(received.headers["authorization"] ?? "");
  const parts = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    given,
  );
  if (!parts) return "no signature";
  const [, id, scope = "", names = "", signature] = parts;
  const date = String(received.headers["x-amz-date"]);
  if (id !== accessKeyId) return "an unknown access key";
  if (scope !== `${date.slice(0, 8)}/${region}/${service}/aws4_request`) return `the scope ${scope}`;
  const signedAt = Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
  if (!(Math.abs(signedAt - now.getTime()) <= FIVE_MINUTES)) return `the date ${date}`;
  const signed = names.split(";");
  const own = Object.keys(received.headers).filter((name) => name.startsWith("x-amz-") || REQUIRED.includes(name));
  const missing = own.filter((name) => !signed.includes(name));
  if (missing.length > 0) return `unsigned headers: ${missing.join(", ")}`;
  return signatureOf(received, signed, scope, secret) === signature ? null : "a wrong signature";
}
