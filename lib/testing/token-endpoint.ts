import { createVerify, generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyOf } from "node:stream/consumers";
import { upstreamServer } from "./upstream-server";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const EMAIL = "robot@project.iam.gserviceaccount.com";

type Json = Record<string, unknown>;
const decoded = (part = "") => JSON.parse(Buffer.from(part, "base64url").toString()) as Json;

/** Returns the problem of an assertion, as Google checks it; null for a valid one. */
function problemOf(assertion: string, audience: string, now: number): string | null {
  const [header = "", claims = "", signature = ""] = assertion.split(".");
  const { alg, typ, kid } = decoded(header);
  if (alg !== "RS256" || typ !== "JWT" || kid !== "key-1") return "invalid header";
  const verifier = createVerify("RSA-SHA256").update(`${header}.${claims}`);
  if (!verifier.verify(publicKey, Buffer.from(signature, "base64url"))) return "invalid signature";
  const { iss, aud, scope, iat, exp, ...others } = decoded(claims);
  const [issued, expires] = [Number(iat), Number(exp)];
  if (iss !== EMAIL || aud !== audience || Object.keys(others).length > 0) return "invalid claims";
  if (scope !== "https://www.googleapis.com/auth/cloud-platform") return "invalid scope";
  const isTimely = issued <= now && expires > now && expires - issued <= 3600;
  return Number.isInteger(issued) && Number.isInteger(expires) && isTimely ? null : "invalid time";
}

interface TokenEndpoint {
  /** The key file of the service account that the endpoint knows. */
  keyFile: (fields?: object) => string;
  /** Tokens that were issued, in order. */
  issued: readonly string[];
  /** The endpoint's clock. */
  now: number;
  /** Response in place of a token, or null. */
  answer: ((response: ServerResponse) => void) | null;
}

/** Starts a strict token endpoint on loopback until the test's end. `now` is its clock, in milliseconds. */
export async function tokenEndpoint(now: number): Promise<TokenEndpoint> {
  const issued: string[] = [];
  const endpoint: TokenEndpoint = { keyFile: () => "", issued, now, answer: null };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await bodyOf(request));
    if (endpoint.answer) {
      endpoint.answer(response);
      return;
    }
    const isForm = request.headers["content-type"] === "application/x-www-form-urlencoded";
    const isGrant = form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const problem =
      request.method !== "POST" || request.url !== "/token" || !isForm || !isGrant || form.size !== 2
        ? "invalid request"
        : problemOf(form.get("assertion") ?? "", `${url}/token`, Math.floor(endpoint.now / 1000));
    if (problem === null) issued.push(`ya29.token-${issued.length}`);
    response
      .writeHead(problem === null ? 200 : 400, { "content-type": "application/json" })
      .end(
        JSON.stringify(
          problem === null
            ? { access_token: issued.at(-1), expires_in: 3600, token_type: "Bearer" }
            : { error: "invalid_grant", error_description: problem },
        ),
      );
  };
  const { url } = await upstreamServer((request, response) => void respond(request, response));
  endpoint.keyFile = (fields) =>
    JSON.stringify({
      type: "service_account",
      project_id: "project",
      private_key_id: "key-1",
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
      client_email: EMAIL,
      token_uri: `${url}/token`,
      ...fields,
    });
  return endpoint;
}
