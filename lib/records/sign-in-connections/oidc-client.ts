import "server-only";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from "openid-client";
import type { Env } from "../../platform/env";
import { readWhole } from "../../platform/outbound/bounded-body";
import { OutboundFailure } from "../../platform/outbound/failure";
import { outboundFetch } from "../../platform/outbound/fetch";
import { claimAt, type Claims } from "./claims";
import { describeFailure, ProviderProblem } from "./problem";
import { CLOCK_SKEW_MS } from "./vocabulary";

type Settings = Pick<Env, "allowPrivateUpstreams">;

/** A client that is registered at a provider. */
export interface OidcClient {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scopes: readonly string[];
}

const TIMEOUT_MS = 10_000;
const TIMEOUTS = { connect: TIMEOUT_MS, firstByte: TIMEOUT_MS, idle: TIMEOUT_MS };
const MAX_BYTES = 1024 * 1024;
/** For providers in a private network, which may have no certificate. */
// oxlint-disable-next-line typescript/no-deprecated -- marked so that it isn't used by mistake
const WITHOUT_TLS = [enableNonRepudiationChecks, allowInsecureRequests];

/** Sends the library's requests to checked addresses only. */
const fetchWith =
  ({ allowPrivateUpstreams }: Settings): CustomFetch =>
  async (url, { method, headers, body }) => {
    const response = await outboundFetch({
      peer: "identity provider",
      method: method === "POST" ? "POST" : "GET",
      url,
      headers: { ...headers, "user-agent": "Signalbox" },
      // Of the library's bodies, only forms are used.
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      allowPrivate: allowPrivateUpstreams,
      timeouts: TIMEOUTS,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return new Response(await readWhole(response, MAX_BYTES), { status: response.status, headers: response.headers });
  };

/** Runs a step of the protocol, and says in words for an admin what the provider got wrong. */
async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProviderProblem) throw error;
    const outbound = [error, (error as Error).cause].find((each) => each instanceof OutboundFailure);
    const problem = outbound?.message ?? describeFailure(error);
    if (problem === null) throw error;
    throw new ProviderProblem(`${what}: ${problem}`);
  }
}

/** Sends the secret as the provider accepts it; by default in the header. */
function authenticationOf(clientSecret: string | null, methods: readonly string[] | undefined): ClientAuth {
  if (clientSecret === null) return None();
  const isInBody = methods?.includes("client_secret_post") === true && !methods.includes("client_secret_basic");
  return isInBody ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}

/**
 * Discovers the provider. Nothing is cached, so that new keys and addresses apply at once. Signatures of ID tokens are verified
 * although they come from the token endpoint.
 */
const discover = async (settings: Settings, { issuer, clientId, clientSecret }: OidcClient): Promise<Configuration> =>
  step("Discovery failed", async () => {
    const authenticate: ClientAuth = (server, client, body, headers) =>
      authenticationOf(clientSecret, server.token_endpoint_auth_methods_supported)(server, client, body, headers);
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: CLOCK_SKEW_MS / 1000 },
      authenticate,
      {
        [customFetch]: fetchWith(settings),
        execute: settings.allowPrivateUpstreams ? WITHOUT_TLS : [enableNonRepudiationChecks],
      },
    );
    const found = configuration.serverMetadata();
    // Tokens name the issuer by this text.
    if (found.issuer !== issuer)
      throw new ProviderProblem(
        `The discovery document is of ${found.issuer}, not of ${issuer}: enter the issuer exactly so`,
      );
    return configuration;
  });

/** What a callback is compared with. */
export interface Expected {
  state: string;
  nonce: string;
  verifier: string;
}

/** Returns the provider's address for a sign-in, with PKCE, and what its answer must match. */
export async function authorizationOf(
  settings: Settings,
  client: OidcClient,
  options: { callback: string; state: string; email: string | undefined; confirms: boolean },
): Promise<{ url: string; nonce: string; verifier: string }> {
  const configuration = await discover(settings, client);
  const [nonce, verifier] = [randomNonce(), randomPKCECodeVerifier()];
  const url = await step("The request can't be built", async () =>
    buildAuthorizationUrl(configuration, {
      redirect_uri: options.callback,
      scope: client.scopes.join(" "),
      state: options.state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(options.email && { login_hint: options.email }),
      ...(options.confirms && { prompt: "login", max_age: "0" }),
    }),
  );
  return { url: url.href, nonce, verifier };
}

/** Exchanges the code of a callback, verifies the ID token, and completes it by the provider's user info if wanted claims are missing. */
export async function exchangeCode(
  settings: Settings,
  client: OidcClient,
  callback: URL,
  expected: Expected,
  wanted: readonly string[],
): Promise<{ claims: Claims & { sub: string }; idToken: string }> {
  const configuration = await discover(settings, client);
  return step("The sign-in can't be verified", async () => {
    const tokens = await authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: expected.verifier,
      expectedState: expected.state,
      expectedNonce: expected.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw new ProviderProblem("The provider sent no ID token");
    const isComplete = wanted.every((name) => claimAt(claims, name) !== undefined);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = isComplete || !hasUserInfo ? {} : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { claims: { ...more, ...claims }, idToken: tokens.id_token };
  });
}

/** Returns the address at which the provider ends a session; null if it has none. */
export async function endSessionUrl(
  settings: Settings,
  client: OidcClient,
  idToken: string | null,
  returnTo: string,
): Promise<string | null> {
  const configuration = await discover(settings, client);
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
  return buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    ...(idToken !== null && { id_token_hint: idToken }),
  }).href;
}
