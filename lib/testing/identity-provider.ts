import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Context } from "oidc-provider";

/** Claims of a person, besides `sub`. */
export interface Person {
  email: string;
  email_verified?: boolean;
  given_name?: string;
  family_name?: string;
  groups?: readonly string[];
}

interface RegisteredClient {
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
  post_logout_redirect_uris?: string[];
  backchannel_logout_uri?: string;
}

export interface IdentityProvider {
  issuer: string;
  /** People by login, which is also their `sub`. */
  people: Map<string, Person>;
  /** Registers the client, in place of an earlier one. */
  register: (client: RegisteredClient) => Promise<void>;
  /** Signs with other keys from now on. */
  rotateKeys: () => Promise<void>;
  close: () => Promise<void>;
}

const SCOPES = "openid email profile groups";

async function newKeys(): Promise<object> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), use: "sig", alg: "RS256", kid: `${Date.now()}` }] };
}

const form = (action: string) => `<!doctype html><html lang="en"><title>Sign in</title><main><h1>Identity provider</h1>
<form method="post" action="${action}"><label>Login <input name="login" autofocus></label><button>Sign in</button></form></main></html>`;

const signOutPage = (logoutForm: string) => `<!doctype html><html lang="en"><title>Sign out</title><main>
<h1>Identity provider</h1>${logoutForm}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button></main></html>`;

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return new URLSearchParams(text);
}

/** Starts an OpenID provider on loopback, where people sign in with their login and no password. */
export async function startIdentityProvider(people: Readonly<Record<string, Person>>): Promise<IdentityProvider> {
  const known = new Map(Object.entries(people));
  let clients: RegisteredClient[] = [];
  let jwks = await newKeys();
  let provider: Provider | undefined;
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!provider) return void response.writeHead(503).end();
    if (!request.url?.startsWith("/interaction/")) return provider.callback()(request, response);
    if (request.method !== "POST")
      return void response.writeHead(200, { "content-type": "text/html" }).end(form(request.url));
    const login = (await bodyOf(request)).get("login") ?? "";
    const result = known.has(login) ? { login: { accountId: login } } : { error: "access_denied" };
    return provider.interactionFinished(request, response, result);
  }

  function restart(): void {
    provider = new Provider(issuer, {
      clients: clients.map((client) => ({ backchannel_logout_session_required: true, ...client })),
      jwks,
      cookies: { keys: ["test"] },
      scopes: SCOPES.split(" "),
      claims: {
        openid: ["sub", "sid"],
        email: ["email", "email_verified"],
        profile: ["given_name", "family_name"],
        groups: ["groups"],
      },
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, logoutForm: string) => {
            context.body = signOutPage(logoutForm);
          },
        },
      },
      // Without the dispatcher that refuses to notify clients on loopback.
      fetch: (url: string, { dispatcher: _, ...options }: RequestInit & { dispatcher?: unknown }) =>
        fetch(url, options),
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...known.get(sub) }) }),
      loadExistingGrant: async ({ oidc: { provider: own, client, session } }: Context) => {
        const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(SCOPES);
        await grant.save();
        return grant;
      },
    });
  }
  restart();
  return {
    issuer,
    people: known,
    register: async (client) => {
      clients = [client];
      restart();
    },
    rotateKeys: async () => {
      jwks = await newKeys();
      restart();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A browser's cookies by name. */
export type Jar = Map<string, string>;

/** Requests a page with a jar of cookies, and stores those of its response. */
async function visit(jar: Jar, url: string, init: Pick<RequestInit, "method" | "body"> = {}): Promise<Response> {
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
  return response;
}

/** Signs in at the provider as a browser does, and returns the address of the callback, which isn't opened. */
export async function signInAt(jar: Jar, start: string, login: string, callback: string): Promise<URL> {
  let url = start;
  let init: Pick<RequestInit, "method" | "body"> = {};
  for (let step = 0; step < 10; step += 1) {
    if (url.startsWith(callback)) return new URL(url);
    const response = await visit(jar, url, init);
    const location = response.headers.get("location");
    if (location !== null) [url, init] = [new URL(location, url).href, {}];
    else if (response.ok) init = { method: "POST", body: new URLSearchParams({ login }) };
    else throw new Error(`${url} has status ${response.status}: ${await response.text()}`);
  }
  throw new Error(`no callback: the browser is at ${url}`);
}

/** Signs out at the provider, which then notifies its clients. */
export async function signOutAt(jar: Jar, endSession: string): Promise<void> {
  const page = await visit(jar, endSession);
  const html = await page.text();
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? "";
  const done = await visit(jar, new URL(action, endSession).href, {
    method: "POST",
    body: new URLSearchParams({ xsrf, logout: "yes" }),
  });
  if (done.status >= 400) throw new Error(`signing out has status ${done.status}: ${await done.text()}`);
}
