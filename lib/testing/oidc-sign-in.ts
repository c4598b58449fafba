import { randomUUID } from "node:crypto";
import { CreateSignInConnectionBody } from "../records/sign-in-connections/contract";
import { finish } from "../records/sign-in-connections/oidc-service";
import { create } from "../records/sign-in-connections/service";
import { TEST_SETTINGS } from "./context";
import { begin, cookieOf, requestOf, type Connected } from "./sign-in-requests";
import { testWorld } from "./test-context";

export const SECRET = "a secret of the client";
const settings = { ...TEST_SETTINGS, allowPrivateUpstreams: true };

export async function connected(issuer: string, fields: object = {}): Promise<Connected> {
  const world = await testWorld({ now: new Date(), settings });
  const domain = `${randomUUID()}.example`;
  const body = CreateSignInConnectionBody.parse({
    name: "Test",
    protocol: "oidc",
    domains: [domain],
    oidc: { issuer, client_id: "signalbox", client_secret: SECRET, scopes: ["openid", "email", "profile", "groups"] },
    ...fields,
  });
  const { data } = await create(world.context, { params: {}, query: {}, body });
  await world.context.db.signInConnection.update({
    where: { id: data.id },
    data: { enabled: true, testedAt: new Date() },
  });
  return { ...world, domain, connectionId: data.id };
}

export const queryOf = (url: URL) => Object.fromEntries(url.searchParams);

/** Sends the provider's answer, as a browser with these cookies. */
export async function end(
  world: Connected,
  query: Readonly<Record<string, string>>,
  cookies: { flow: string | null; session?: string | null },
  connectionId = world.connectionId,
) {
  const request = requestOf(world.context, cookies);
  const { location } = await finish(request, { params: { id: connectionId }, query, body: undefined });
  return { location, session: cookieOf("session", request) };
}

/** Begins a sign-in with a hostile provider, and returns the answer with a code for its nonce. */
export async function begun(world: Connected, query: object = {}, session: string | null = null) {
  const { url, flow } = await begin(world, query, session);
  const { state = "", nonce = "" } = queryOf(new URL(url));
  return { flow, callback: { state, code: JSON.stringify({ nonce, aud: "signalbox" }) } };
}
