import "server-only";
import { createHash } from "node:crypto";
import { importPKCS8, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import { jsonIn } from "../../../platform/json-values";
import { OutboundFailure } from "../../../platform/outbound/failure";
import type { Surroundings } from "./kind";
import { readServiceAccount, type ServiceAccount } from "./service-account";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** Maximum lifetime of an assertion that Google accepts, in seconds. */
const ASSERTION_SECONDS = 3600;
/** Remaining lifetime at which a token is replaced. */
const MARGIN_MS = 5 * 60_000;

interface AccessToken {
  token: string;
  expiresAt: number;
}

/** Tokens by key, and pending requests for them. */
const tokens = new LRUCache<string, AccessToken>({ max: 1000 });
const pending = new Map<string, Promise<AccessToken>>();

type Sending = Pick<Surroundings, "now" | "send">;

/**
 * Returns an access token of a service account. A cached token is used until shortly before it expires. Concurrent
 * callers wait for the same request. A token that can't be replaced is used as long as it is valid.
 */
export async function accessToken(keyFile: string, { now, send }: Sending): Promise<string> {
  const key = createHash("sha256").update(keyFile).digest("base64");
  const known = tokens.get(key);
  if (known && known.expiresAt - MARGIN_MS > now.getTime()) return known.token;
  try {
    return (await renewed(key, keyFile, { now, send })).token;
  } catch (error) {
    if (known && error instanceof OutboundFailure && known.expiresAt > now.getTime()) return known.token;
    throw error;
  }
}

/** Waits for the pending request; starts another one if its caller disconnected. */
async function renewed(key: string, keyFile: string, sending: Sending): Promise<AccessToken> {
  const other = pending.get(key);
  if (!other) return renew(key, keyFile, sending);
  try {
    return await other;
  } catch (error) {
    if (error instanceof OutboundFailure) throw error;
    return renewed(key, keyFile, sending);
  }
}

function renew(key: string, keyFile: string, sending: Sending): Promise<AccessToken> {
  const request = requestToken(keyFile, sending)
    .then((token) => {
      tokens.set(key, token);
      return token;
    })
    .finally(() => pending.delete(key));
  pending.set(key, request);
  return request;
}

const TokenAnswer = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() });
const TokenError = z.looseObject({ error: z.string().max(100) });

/** Failures have no status, because a provider's credentials aren't the caller's mistake. */
async function requestToken(keyFile: string, { now, send }: Sending): Promise<AccessToken> {
  const account = readServiceAccount(keyFile);
  if (!account) throw new OutboundFailure(null, "The provider's service account key can't be read");
  const response = await send({
    method: "POST",
    url: account.token_uri,
    headers: { accept: "application/json", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ grant_type: GRANT, assertion: await assertion(account, now) }).toString(),
  });
  const answer = jsonIn(await response.text());
  const { data } = TokenAnswer.safeParse(answer);
  if (!response.ok || !data) {
    const reason = TokenError.safeParse(answer).data?.error ?? `status ${response.status}`;
    throw new OutboundFailure(
      null,
      `The token endpoint issued no access token for the provider's service account (${reason})`,
    );
  }
  return { token: data.access_token, expiresAt: now.getTime() + data.expires_in * 1000 };
}

async function assertion(account: ServiceAccount, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const { client_email, private_key, private_key_id, token_uri } = account;
  try {
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(private_key_id && { kid: private_key_id }) })
      .setIssuer(client_email)
      .setAudience(token_uri)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ASSERTION_SECONDS)
      .sign(await importPKCS8(private_key, "RS256"));
  } catch {
    throw new OutboundFailure(null, "The private key of the provider's service account can't be read");
  }
}
