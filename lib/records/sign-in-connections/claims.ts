import { storableJson } from "../../platform/database/storable-json";
import { asObject } from "../../platform/json-values";
import type { ClaimNames } from "./contract";
import type { VerifiedIdentity } from "./identity";
import { ProviderProblem, TOO_MANY_GROUPS } from "./problem";
import { MOST_CLAIMED_GROUPS } from "./vocabulary";

export type Claims = Readonly<Record<string, unknown>>;

const MAX_TEXT = 254;
const MAX_NAME = 100;
/** OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT = 255;

/** Returns the claim of a name, or of a path of names: `realm_access.roles`. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split(".")) {
    const object = asObject(value);
    if (!object || !Object.hasOwn(object, part)) return undefined;
    value = object[part];
  }
  return value;
}

function textAt(claims: Claims, name: string, most = MAX_TEXT): string | null {
  const found = claimAt(claims, name);
  const value: unknown = Array.isArray(found) ? found[0] : found;
  if (typeof value !== "string") return null;
  const text = value.trim();
  return text === "" || text.length > most ? null : text;
}

function groupsAt(claims: Claims, name: string): string[] {
  const value = claimAt(claims, name);
  const groups = (Array.isArray(value) ? value : [value]).filter(
    (group): group is string => typeof group === "string" && group !== "",
  );
  if (groups.length > MOST_CLAIMED_GROUPS) throw new ProviderProblem(TOO_MANY_GROUPS);
  return [...new Set(groups)];
}

/** True if the claims refer to another address for the groups, as Entra ID does for members of many groups. */
function refersToGroups(claims: Claims, name: string): boolean {
  const elsewhere = asObject(claims["_claim_names"]);
  return claims["hasgroups"] === true || (elsewhere !== null && Object.hasOwn(elsewhere, name));
}

/** Returns what the claims of a verified ID token, completed by the provider's user info, say about the person. */
export function identityOf(sent: Claims & { sub: string }, names: ClaimNames): VerifiedIdentity {
  const claims = JSON.parse(storableJson(sent)) as typeof sent;
  if (claims.sub !== sent.sub || claims.sub.length > MAX_SUBJECT)
    throw new ProviderProblem(
      `The person's \`sub\` can't be stored: it must have at most ${MAX_SUBJECT} valid characters`,
    );
  return {
    subject: claims.sub,
    email: textAt(claims, names.email)?.toLowerCase() ?? null,
    firstName: textAt(claims, names.first_name, MAX_NAME),
    lastName: textAt(claims, names.last_name, MAX_NAME),
    groups: refersToGroups(claims, names.groups) ? null : groupsAt(claims, names.groups),
    providerSession: textAt(claims, "sid"),
    sessionEndsAt: null,
    claims,
  };
}
