import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createResponse } from "../../lib/gateway/contract";
import { getGeneration } from "../../lib/records/generations/contract";
import { createWorkloadIdentity, deleteWorkloadIdentity } from "../../lib/records/workload-identities/contract";
import { SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from "../../lib/records/workload-identities/vocabulary";
import { expect, test } from "../fixtures";
import { unique } from "../world";

test("a pipeline's token becomes a key of minutes, which ends with the identity", async ({ api, world, serverUrl }) => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kty: "EC" as const, kid: "one", alg: "ES256" };
  const { hash } = await world.inferenceKey();
  const issuer = `https://${unique("ci")}.example`;
  const { data: identity } = await api.call(createWorkloadIdentity, {
    params: { hash },
    body: { name: "CI", issuer, audience: serverUrl, claims: { sub: "repo:acme/*" }, jwks: { keys: [jwk] } },
  });
  const token = (subject: string) =>
    new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(issuer)
      .setAudience(serverUrl)
      .setSubject(subject)
      .setIssuedAt()
      .setExpirationTime("5 minutes")
      .sign(privateKey);
  const post = async (fields: Record<string, string>) =>
    fetch(`${serverUrl}/v1/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
  const exchange = async (subject: string) =>
    post({
      grant_type: TOKEN_EXCHANGE,
      subject_token_type: SUBJECT_TOKEN_TYPES[0],
      subject_token: await token(subject),
    });

  const refused = await exchange("repo:evil/app");
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: "invalid_grant" }]);
  const incomplete = await post({ grant_type: "password" });
  expect(incomplete.status).toBe(400);
  expect(await incomplete.json()).toMatchObject({
    error: "invalid_request",
    issues: [{ path: ["grant_type"] }, { path: ["subject_token"] }, { path: ["subject_token_type"] }],
  });

  const answer = await exchange("repo:acme/app");
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const { access_token: key, expires_in } = (await answer.json()) as { access_token: string; expires_in: number };
  expect(expires_in).toBe(900);
  const body = { model: "sandbox/echo", input: "Hello" };
  const sent = await api.send(createResponse, { body }, { as: key });
  expect(sent.status).toBe(200);
  const query = { id: sent.headers.get("x-generation-id") ?? "" };
  expect((await api.call(getGeneration, { query })).data).toMatchObject({
    key_hash: hash,
    workload: { issuer, subject: "repo:acme/app" },
  });
  await api.call(deleteWorkloadIdentity, { params: { hash, id: identity.id } });
  await expect.poll(async () => (await api.send(createResponse, { body }, { as: key })).status).toBe(401);
});
