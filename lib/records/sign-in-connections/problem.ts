import { storableText } from "../../platform/database/storable-json";
import { MOST_CLAIMED_GROUPS, type Refusal } from "./vocabulary";

/** Longest message; it may repeat what the provider sent. */
const LONGEST = 1000;

/** What an identity provider or its settings got wrong, in words for an admin. */
export class ProviderProblem extends Error {
  constructor(
    message: string,
    /** What the person who signs in is shown. */
    readonly refusal: Refusal = "provider",
  ) {
    super(storableText(message.slice(0, LONGEST)));
    this.name = "ProviderProblem";
  }
}

/** Without some of the groups, a person would lose what these give. */
export const TOO_MANY_GROUPS = `The person is in too many groups: the provider sends a link instead of their names, or more than ${MOST_CLAIMED_GROUPS}. Let it send only groups that are assigned to the application`;

interface Failure {
  message?: unknown;
  code?: unknown;
  status?: unknown;
  error?: unknown;
  error_description?: unknown;
  cause?: unknown;
}

const MOST = 300;
const asFailure = (value: unknown): Failure => (typeof value === "object" && value !== null ? value : {});
const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
};

/** Errors and their causes, outermost first. */
function chainOf(error: unknown): Failure[] {
  const chain: Failure[] = [];
  for (let at: unknown = error; typeof at === "object" && at !== null && chain.length < 5; at = asFailure(at).cause)
    chain.push(asFailure(at));
  return chain;
}

const MISMATCHES: Readonly<Record<string, string>> = {
  iss: "The ID token is of another issuer",
  aud: "The ID token is for another audience: it must name the connection's client ID",
  nonce: "The ID token has another nonce: it belongs to another sign-in",
  azp: "The ID token was issued to another client",
};

const TIMES: Readonly<Record<string, string>> = {
  exp: "The ID token has expired. Compare the clocks of the provider and of Signalbox",
  nbf: "The ID token isn't valid yet. Compare the clocks of the provider and of Signalbox",
  auth_time: "The provider didn't ask the person to sign in again",
};

/** Returns what openid-client found wrong, in words for an admin; null for an error of ours. */
export function describeFailure(error: unknown): string | null {
  const chain = chainOf(error);
  const [outer = {}] = chain;
  if (outer.error === "invalid_client" || outer.code === "OAUTH_WWW_AUTHENTICATE_CHALLENGE")
    return "The provider doesn't accept the client. Check the client ID and the client secret";
  if (typeof outer.error === "string") {
    const description = typeof outer.error_description === "string" ? `: ${shown(outer.error_description)}` : "";
    return `The provider answered ${shown(outer.error)}${description}`;
  }
  const claim = chain
    .map(({ cause }) => (asFailure(cause) as { claim?: unknown }).claim)
    .find((name) => name !== undefined);
  const code = chain.map((each) => each.code).find((each) => typeof each === "string" && each.startsWith("OAUTH_"));
  if (code === undefined) return null;
  if (code === "OAUTH_JWT_CLAIM_COMPARISON_FAILED")
    return MISMATCHES[shown(claim)] ?? `The ID token has an unexpected ${shown(claim)}`;
  if (code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED")
    return TIMES[shown(claim)] ?? `The ID token's ${shown(claim)} isn't at an allowed time`;
  if (code === "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED")
    return "The discovery document or the user info is of another issuer or person";
  if (code === "OAUTH_KEY_SELECTION_FAILED")
    return "The ID token is signed with a key that the provider doesn't publish";
  const message = chain.map((each) => each.message).findLast((each) => typeof each === "string");
  const status = chain.map((each) => each.status).find((each) => typeof each === "number");
  return `The provider's answer isn't valid: ${shown(message)}${status === undefined ? "" : ` (status ${status})`}`;
}
