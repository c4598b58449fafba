import { createHmac } from "node:crypto";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { findKeyCaller } from "../keys/credentials-store";
import * as keys from "../keys/service";
import * as generations from "../generations/service";
import * as inference from "../../gateway/service";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { TEST_SETTINGS } from "../../testing/context";
import { failure } from "../../testing/expect-failure";
import { createKey } from "../../testing/factories";
import { NOW, testWorld, type World } from "../../testing/test-context";
import { upstreamServer } from "../../testing/upstream-server";
import { CreateWorkloadIdentityBody } from "./contract";
import { exchange } from "./exchange-service";
import { create, list, remove } from "./service";
import { exchangeToken } from "./token-contract";
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from "./vocabulary";

interface Pair {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}
let pair: Pair;
let stranger: Pair;
let jwk: JWK;
let pem: string;
beforeAll(async () => {
  [pair, stranger] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" };
  pem = await exportSPKI(pair.publicKey);
});

const AUDIENCE = "https://signalbox.example";
const SUBJECT = "repo:acme/app:ref:refs/heads/main";
const SECOND = Math.floor(NOW.getTime() / 1000);

/** An issuer that publishes its keys. */
async function issuerOf(document: object = {}, jwks: () => object = () => ({ keys: [jwk] })) {
  const server = await upstreamServer((request, response) => {
    const isKeys = request.url === "/keys";
    const discovery = { issuer: server.url, jwks_uri: `${server.url}/keys`, ...document };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(isKeys ? jwks() : discovery));
  });
  return server.url;
}

const signed = (
  claims: JWTPayload,
  { privateKey }: Pick<Pair, "privateKey"> = pair,
  header = { alg: "RS256", kid: "one" },
) =>
  new SignJWT({ sub: SUBJECT, aud: AUDIENCE, iat: SECOND - 10, exp: SECOND + 300, ...claims })
    .setProtectedHeader(header)
    .sign(privateKey);

async function trusting(issuer: string, fields: Partial<CreateWorkloadIdentityBody> = {}) {
  const world = await testWorld({ settings: { ...TEST_SETTINGS, allowPrivateUpstreams: true } });
  const key = await createKey(world);
  const body = CreateWorkloadIdentityBody.parse({
    name: "CI",
    issuer,
    audience: AUDIENCE,
    claims: { sub: SUBJECT },
    ...fields,
  });
  const { data } = await create(world.context, { params: { hash: key.hash }, query: {}, body });
  return { world, key, identity: data };
}

const send = ({ context }: World, subject_token: string, client_id?: string) =>
  exchange(context, {
    params: {},
    query: {},
    body: {
      grant_type: TOKEN_EXCHANGE,
      subject_token,
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
      ...(client_id && { client_id }),
    },
  });

describe("a token that an identity accepts", () => {
  it("is exchanged for a key of minutes, which is recorded with the workload", async () => {
    const issuer = await issuerOf();
    const { world, key } = await trusting(issuer, { lifetime_seconds: 600 });
    const { context } = world;
    await createSandbox(context.db, world.organizationId, NOW);
    const given = exchangeToken.result.parse(await send(world, await signed({ iss: issuer })));
    expect(given).toMatchObject({ token_type: "Bearer", expires_in: 600 });
    const at = (seconds: number) =>
      findKeyCaller(context.db, given.access_token, new Date(NOW.getTime() + seconds * 1000));
    const caller = await at(0);
    if (!caller) throw new Error("the key isn't valid");
    expect(caller).toMatchObject({ keyId: key.id, workload: { issuer, subject: SUBJECT } });
    expect(await at(599)).not.toBeNull();
    expect(await at(600)).toBeNull();

    const headers = new Headers();
    const body = ResponsesBody.parse({ model: "sandbox/echo", input: "Hello" });
    await inference.createResponse({ ...context, caller, headers }, { params: {}, query: {}, body });
    const query = { id: headers.get("x-generation-id") ?? "" };
    const { data } = await generations.get(context, { params: {}, body: undefined, query });
    expect(data).toMatchObject({ key_hash: key.hash, workload: { issuer, subject: SUBJECT } });

    const [audited] = await context.db.auditEvent.findMany({
      where: { action: "workload_identity.exchange", organizationId: world.organizationId },
    });
    expect(audited).toMatchObject({ actorId: key.id, after: { issuer, subject: SUBJECT } });
    expect(JSON.stringify(audited)).not.toContain(given.access_token);
    const { data: shown } = await keys.get(context, { params: { hash: key.hash }, query: {}, body: undefined });
    expect(shown.old_text_expires_at, "an exchanged key isn't an earlier text").toBeNull();
  });

  it("is verified with given keys, without calling the issuer", async () => {
    const issuer = "https://kubernetes.default.svc";
    const { world } = await trusting(issuer, { jwks: { keys: [{ ...jwk, kty: "RSA" }] } });
    expect(await send(world, await signed({ iss: issuer, aud: ["other", AUDIENCE] }))).toMatchObject({
      expires_in: 900,
    });
  });

  it("may be signed with a key that the issuer has added since", async () => {
    const keysOfIssuer = [jwk];
    const issuer = await issuerOf({}, () => ({ keys: keysOfIssuer }));
    const { world } = await trusting(issuer);
    await send(world, await signed({ iss: issuer }));
    const next = await generateKeyPair("ES256");
    keysOfIssuer.push({ ...(await exportJWK(next.publicKey)), kid: "two", alg: "ES256" });
    const token = await signed({ iss: issuer }, next, { alg: "ES256", kid: "two" });
    // Keys are fetched again half a minute after the last time at the earliest.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await send(world, token)).toMatchObject({ token_type: "Bearer" });
  });

  it("names the key if several accept it, and never reaches another organization's key by its hash", async () => {
    const issuer = await issuerOf();
    const { world, key } = await trusting(issuer);
    const { world: other, key: second } = await trusting(issuer);
    const token = await signed({ iss: issuer });
    expect(await failure(send(world, token))).toMatchObject({ status: 400, metadata: { code: "invalid_request" } });
    for (const { id, hash } of [key, second]) {
      const { access_token } = await send(world, token, hash);
      expect(await findKeyCaller(other.context.db, access_token, NOW)).toMatchObject({ keyId: id });
    }
  });

  it("is of no use once the key is disabled or expired, or the identity deleted", async () => {
    const issuer = await issuerOf();
    const { world, key, identity } = await trusting(issuer);
    const { context } = world;
    const token = await signed({ iss: issuer });
    const { access_token } = await send(world, token);
    await context.db.key.update({ where: { id: key.id }, data: { disabled: true } });
    expect(await failure(send(world, token))).toMatchObject({ status: 400 });
    await context.db.key.update({
      where: { id: key.id },
      data: { disabled: false, expiresAt: new Date(NOW.getTime() + 60_000) },
    });
    expect(await send(world, token), "never longer than the key").toMatchObject({ expires_in: 60 });
    await remove(context, { params: { hash: key.hash, id: identity.id }, query: {}, body: undefined });
    expect(await findKeyCaller(context.db, access_token, NOW)).toBeNull();
    expect(await failure(send(world, token))).toMatchObject({ status: 400 });
    expect((await list(context, { params: { hash: key.hash }, query: {}, body: undefined })).data).toEqual([]);
  });
});

const unsigned = (payload: object) =>
  `${[{ alg: "none", typ: "JWT" }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
const withHmac = (payload: object) => {
  const start = [{ alg: "HS256", kid: "one" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${start}.${createHmac("sha256", pem).update(start).digest("base64url")}`;
};
const claims = (issuer: string) => ({ iss: issuer, sub: SUBJECT, aud: AUDIENCE, iat: SECOND - 10, exp: SECOND + 300 });

describe("a hostile token is refused:", () => {
  it.each<[string, (issuer: string) => Promise<string> | string, RegExp]>([
    ["another audience", (iss) => signed({ iss, aud: "https://other.example" }), /audience or claims/],
    ["another subject", (iss) => signed({ iss, sub: "repo:acme/app:ref:refs/heads/evil" }), /audience or claims/],
    ["expired", (iss) => signed({ iss, exp: SECOND - 61 }), /has expired/],
    ["not valid yet", (iss) => signed({ iss, nbf: SECOND + 120 }), /claim nbf/],
    ["issued in the future", (iss) => signed({ iss, iat: SECOND + 120 }), /claim iat/],
    ["issued days ago", (iss) => signed({ iss, iat: SECOND - 3 * 86_400 }), /expired|claim iat/],
    [
      "without an end",
      (iss) =>
        new SignJWT({ iss, sub: SUBJECT, aud: AUDIENCE, iat: SECOND })
          .setProtectedHeader({ alg: "RS256", kid: "one" })
          .sign(pair.privateKey),
      /claim exp/,
    ],
    ["signed by somebody else", (iss) => signed({ iss }, stranger), /isn't signed with one of the issuer's keys/],
    ["with an unknown key id", (iss) => signed({ iss }, pair, { alg: "RS256", kid: "three" }), /isn't signed with one/],
    ["unsigned", (iss) => unsigned(claims(iss)), /public-key algorithm/],
    ["signed with the public key as a secret", (iss) => withHmac(claims(iss)), /public-key algorithm/],
    [
      "changed after it was signed",
      async (iss) => {
        const [header, , signature] = (await signed({ iss, sub: "repo:acme/other" })).split(".");
        return [header, Buffer.from(JSON.stringify(claims(iss))).toString("base64url"), signature].join(".");
      },
      /isn't signed with one/,
    ],
    ["of an unknown issuer", () => signed({ iss: "https://evil.example" }), /No workload identity has the issuer/],
    ["not a token", () => "not-a-token", /isn't a JWT/],
  ])("%s", async (_, tokenOf, reason) => {
    const issuer = await issuerOf();
    const { world, key } = await trusting(issuer);
    const token = await tokenOf(issuer);
    expect(await failure(send(world, token))).toMatchObject({ status: 400, metadata: { code: "invalid_grant" } });
    await expect(send(world, token)).rejects.toThrow(reason);
    expect(await world.context.db.keySecret.count({ where: { keyId: key.id } })).toBe(1);
  });

  it("if its issuer's document is of another issuer", async () => {
    const issuer = await issuerOf({ issuer: "https://other.example" });
    const { world } = await trusting(issuer);
    await expect(send(world, await signed({ iss: issuer }))).rejects.toThrow(
      "its discovery document is of https://other.example",
    );
  });
});

describe("an identity", () => {
  const parse = (fields: object) =>
    CreateWorkloadIdentityBody.safeParse({
      name: "CI",
      issuer: "https://a.example",
      audience: "x",
      claims: { sub: "a" },
      ...fields,
    });

  it.each([
    [{}, true],
    [{ claims: {} }, false],
    [{ claims: { sub: "*" } }, false],
    [{ claims: { sub: "**" } }, false],
    [{ claims: { ref: "main" } }, false],
    [{ claims: { sub: "repo:acme/*", ref: "refs/heads/main" } }, true],
    [{ issuer: "https://a.example/?x=1" }, false],
    [{ issuer: "ftp://a.example" }, false],
    [{ lifetime_seconds: 3601 }, false],
    [{ jwks: { keys: [] } }, false],
    [{ jwks: { keys: [{ kty: "oct", k: "secret" }] } }, false],
    [{ jwks: { keys: [{ kty: "RSA", n: "x", e: "AQAB", d: "secret" }] } }, false],
  ])("with %j is valid: %s", (fields, expected) => {
    expect(parse(fields).success).toBe(expected);
  });

  it("belongs to an inference key, and its issuer must be allowed to be called", async () => {
    const world = await testWorld();
    const { hash } = await createKey(world, { kind: "management" });
    const body = CreateWorkloadIdentityBody.parse({
      name: "CI",
      issuer: "https://a.example",
      audience: "x",
      claims: { sub: "a" },
    });
    expect(await failure(create(world.context, { params: { hash }, query: {}, body }))).toMatchObject({ status: 400 });
    const settings = { ...TEST_SETTINGS, allowPrivateUpstreams: false };
    expect(create.inspect({ issuer: "https://127.0.0.1" }, settings)).toHaveLength(1);
    expect(create.inspect({ issuer: "https://127.0.0.1", jwks: { keys: [] } }, settings)).toEqual([]);
  });
});
