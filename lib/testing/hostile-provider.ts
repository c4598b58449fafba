import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";

/** What a hostile provider does differently. */
export interface Hostility {
  discovery?: object;
  /** Changes of the ID token's claims; undefined removes one. */
  claims?: JWTPayload;
  /** Replaces the signed ID token. */
  forge?: (claims: JWTPayload) => string | Promise<string>;
  /** Signs with a key that the provider doesn't publish. */
  hasOtherKey?: boolean;
  userInfo?: object;
}

export interface HostileProvider {
  issuer: string;
  /** Takes effect with the next sign-in. */
  be: (hostility: Hostility) => void;
  /** Signs a token with the published key. */
  sign: (claims: JWTPayload) => Promise<string>;
  close: () => void;
}

/**
 * Starts a provider on loopback whose answers a test chooses. Every code is accepted; a code is the JSON of the nonce, and of the client
 * that the ID token is for.
 */
export async function startHostileProvider(): Promise<HostileProvider> {
  const [own, other] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  let hostility: Hostility = {};
  const sign = (claims: JWTPayload, pair = own) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(pair.privateKey);
  const server = createServer((request, response) => {
    const send = (body: object) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    void (async () => {
      const { pathname } = new URL(request.url ?? "/", issuer);
      if (pathname === "/.well-known/openid-configuration")
        return send({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/me`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256", "none"],
          ...hostility.discovery,
        });
      if (pathname === "/jwks")
        return send({ keys: [{ ...(await exportJWK(own.publicKey)), kid: "one", alg: "RS256", use: "sig" }] });
      if (pathname === "/me") return send({ sub: "ada", email: "ada@acme.com", ...hostility.userInfo });
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += String(chunk);
      const { nonce, aud } = JSON.parse(new URLSearchParams(body).get("code") ?? "{}") as JWTPayload;
      const second = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        sub: "ada",
        aud,
        nonce,
        iat: second,
        exp: second + 300,
        email: "ada@acme.com",
        ...hostility.claims,
      };
      const signed = () => sign(claims, hostility.hasOtherKey ? other : own);
      const id_token = await (hostility.forge ? hostility.forge(claims) : signed());
      return send({ access_token: "token", token_type: "Bearer", id_token });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    be: (next) => {
      hostility = next;
    },
    sign: (claims) => sign(claims),
    close: () => server.close(),
  };
}
