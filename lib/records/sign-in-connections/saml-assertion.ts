import type { VerifiedIdentity } from "./identity";
import type { AttributeNames, SamlConfig } from "./saml-config";
import { quoted, SamlError } from "./saml-error";
import { ASSERTION, attributeOf, childrenNamed, childrenOf, instantOf, isNamed, onlyChild, textOf } from "./saml-xml";
import { CLOCK_SKEW_MS, MOST_CLAIMED_GROUPS } from "./vocabulary";

/** The name id as the provider wrote it. A logout request must repeat it. */
export interface NameId {
  value: string;
  format: string | null;
  nameQualifier: string | null;
  spNameQualifier: string | null;
}

export interface VerifiedAssertion {
  identity: VerifiedIdentity;
  nameId: NameId;
  /** The id of the sign-in request that the assertion answers. The caller compares it with the browser's: `checkInResponseTo`. */
  inResponseTo: string;
  /** When the person proved their identity to the provider. */
  authenticatedAt: Date;
  /** Identifies the assertion, which is accepted once. */
  assertionId: string;
  /** When the assertion stops being acceptable, and its id can be forgotten. */
  expiresAt: Date;
}

/** For whom and when an assertion must be valid. */
export interface Expected {
  config: SamlConfig;
  now: Date;
}

const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
const CONDITIONS = ["AudienceRestriction", "OneTimeUse", "ProxyRestriction"];
/** Attribute with a link instead of the groups, which Entra ID sends for members of many. */
const GROUPS_LINK = "http://schemas.microsoft.com/claims/groups.link";

const MAX_SUBJECT = 500;
const MAX_EMAIL = 254;
const MAX_NAME = 100;
const MAX_ATTRIBUTES = 200;
const MAX_VALUE = 2000;

const CLAIMS = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims";
/** Names by which providers usually send an attribute. */
const USUAL_NAMES: Readonly<Record<keyof AttributeNames, readonly string[]>> = {
  email: [
    "email",
    "mail",
    "emailAddress",
    `${CLAIMS}/emailaddress`,
    "urn:oid:0.9.2342.19200300.100.1.3",
    "urn:oid:1.2.840.113549.1.9.1",
  ],
  firstName: ["firstName", "givenName", "first_name", "given_name", `${CLAIMS}/givenname`, "urn:oid:2.5.4.42"],
  lastName: ["lastName", "surname", "sn", "last_name", "family_name", `${CLAIMS}/surname`, "urn:oid:2.5.4.4"],
  groups: [
    "groups",
    "memberOf",
    "http://schemas.microsoft.com/ws/2008/06/identity/claims/groups",
    "http://schemas.xmlsoap.org/claims/Group",
    "urn:oid:1.3.6.1.4.1.5923.1.5.1.1",
  ],
};

/**
 * Reads a verified assertion, and checks that it is by the provider, for this installation, an answer to a request, and valid now
 * (SAML profiles, section 4.1.4.3).
 */
export function readAssertion(assertion: Element, expected: Expected): VerifiedAssertion {
  const { config, now } = expected;
  if (!isNamed(assertion, ASSERTION, "Assertion") || attributeOf(assertion, "Version") !== "2.0")
    throw new SamlError("wrong_structure", "The signed element isn't a SAML 2.0 assertion");
  const assertionId = attributeOf(assertion, "ID");
  if (assertionId === null) throw new SamlError("wrong_structure", "The assertion has no id");
  checkIssuer(onlyChild(assertion, ASSERTION, "Issuer"), config, "assertion");
  const untilConditions = checkConditions(assertion, expected);
  const subject = onlyChild(assertion, ASSERTION, "Subject");
  if (!subject) throw new SamlError("no_subject", "The assertion has no subject");
  const confirmation = confirmationOf(subject, expected);
  const nameId = nameIdOf(subject);
  const { session, endsAt, authenticatedAt } = sessionOf(assertion, now);
  const claims = attributesOf(assertion);
  const read = (name: keyof AttributeNames) => valuesOf(claims, config.attributes[name], USUAL_NAMES[name]);
  const [email = nameId.format === EMAIL_FORMAT ? nameId.value : null] = read("email");
  return {
    identity: {
      subject: nameId.value,
      email: shortOf(email?.toLowerCase(), MAX_EMAIL),
      firstName: shortOf(read("firstName")[0], MAX_NAME),
      lastName: shortOf(read("lastName")[0], MAX_NAME),
      groups: claims.has(GROUPS_LINK) ? null : [...new Set(read("groups"))],
      providerSession: session,
      sessionEndsAt: endsAt,
      claims: Object.fromEntries([...claims].map(([name, values]) => [name, values.length === 1 ? values[0] : values])),
    },
    nameId,
    inResponseTo: confirmation.inResponseTo,
    authenticatedAt,
    assertionId,
    expiresAt: new Date(Math.min(untilConditions, confirmation.until) + CLOCK_SKEW_MS),
  };
}

const shortOf = (text: string | null | undefined, most: number) => (text && text.length <= most ? text : null);

export function checkIssuer(issuer: Element | null, { idpEntityId }: SamlConfig, what: string): void {
  const found = textOf(issuer);
  if (found !== idpEntityId)
    throw new SamlError(
      "wrong_issuer",
      `The issuer of the ${what} is ${quoted(found)}, expected ${quoted(idpEntityId)}`,
    );
}

/** Refuses an element that isn't valid now. Returns its end in milliseconds, or infinity. */
function checkTimes(element: Element, now: Date): number {
  const [from, until] = [instantOf(element, "NotBefore"), instantOf(element, "NotOnOrAfter")];
  const at = now.toISOString();
  if (from && now.getTime() + CLOCK_SKEW_MS < from.getTime())
    throw new SamlError(
      "not_yet_valid",
      `The assertion is valid from ${from.toISOString()}, and it is ${at} here: compare the clocks`,
    );
  if (until && now.getTime() - CLOCK_SKEW_MS >= until.getTime())
    throw new SamlError("expired", `The assertion was valid until ${until.toISOString()}, and it is ${at} here`);
  return until?.getTime() ?? Infinity;
}

function checkConditions(assertion: Element, { config, now }: Expected): number {
  const conditions = onlyChild(assertion, ASSERTION, "Conditions");
  if (!conditions) throw new SamlError("wrong_structure", "The assertion has no conditions");
  const until = checkTimes(conditions, now);
  const unknown = childrenOf(conditions).find((child) => !CONDITIONS.some((name) => isNamed(child, ASSERTION, name)));
  if (unknown)
    throw new SamlError(
      "wrong_structure",
      `The assertion has a condition that isn't supported: ${quoted(unknown.nodeName)}`,
    );
  const restrictions = childrenNamed(conditions, ASSERTION, "AudienceRestriction");
  const audiences = restrictions.map((restriction) => childrenNamed(restriction, ASSERTION, "Audience").map(textOf));
  if (audiences.length === 0 || !audiences.every((one) => one.includes(config.spEntityId)))
    throw new SamlError(
      "wrong_audience",
      `The audience of the assertion is ${audiences.flat().map(quoted).join(", ") || "none"}, expected ${quoted(config.spEntityId)}`,
    );
  return until;
}

interface Confirmation {
  inResponseTo: string;
  until: number;
}

/** Accepts a subject that at least one bearer confirmation confirms. Reports the first that doesn't. */
function confirmationOf(subject: Element, expected: Expected): Confirmation {
  let failure: unknown = new SamlError("wrong_structure", "The assertion has no bearer confirmation of its subject");
  const bearers = childrenNamed(subject, ASSERTION, "SubjectConfirmation").filter(
    (confirmation) => attributeOf(confirmation, "Method") === BEARER,
  );
  for (const bearer of bearers.toReversed())
    try {
      return checkConfirmation(onlyChild(bearer, ASSERTION, "SubjectConfirmationData"), expected);
    } catch (error) {
      failure = error;
    }
  throw failure;
}

function checkConfirmation(data: Element | null, { config, now }: Expected): Confirmation {
  if (!data) throw new SamlError("wrong_structure", "The confirmation of the subject has no data");
  const recipient = attributeOf(data, "Recipient");
  if (recipient !== config.acsUrl)
    throw new SamlError(
      "wrong_recipient",
      `The recipient of the assertion is ${quoted(recipient)}, expected ${quoted(config.acsUrl)}`,
    );
  const inResponseTo = attributeOf(data, "InResponseTo");
  if (inResponseTo === null)
    throw new SamlError(
      "unsolicited",
      "The assertion answers no request: sign-in must start at Signalbox, not at the identity provider",
    );
  const until = checkTimes(data, now);
  if (until === Infinity)
    throw new SamlError("wrong_structure", "The confirmation of the subject doesn't say until when it is valid");
  return { inResponseTo, until };
}

/** Refuses an answer to another request. */
export function checkInResponseTo(found: string | null, requestId: string): void {
  if (found !== requestId)
    throw new SamlError(
      "wrong_request",
      `The assertion answers the request ${quoted(found)}, expected ${quoted(requestId)}`,
    );
}

function nameIdOf(subject: Element): NameId {
  if (onlyChild(subject, ASSERTION, "EncryptedID"))
    throw new SamlError("no_subject", "The name id is encrypted: encrypt the whole assertion instead");
  const element = onlyChild(subject, ASSERTION, "NameID");
  const value = textOf(element);
  if (!element || value === null) throw new SamlError("no_subject", "The assertion has no name id");
  if (childrenOf(element).length > 0 || value.length > MAX_SUBJECT)
    throw new SamlError("no_subject", `The name id isn't a text of at most ${MAX_SUBJECT} characters`);
  const format = attributeOf(element, "Format");
  if (format === TRANSIENT)
    throw new SamlError(
      "no_subject",
      "The name id is transient, so it can't identify a member again: let the provider send a persistent one or an email address",
    );
  return {
    value,
    format,
    nameQualifier: attributeOf(element, "NameQualifier"),
    spNameQualifier: attributeOf(element, "SPNameQualifier"),
  };
}

interface ProviderSession {
  session: string | null;
  endsAt: Date | null;
  authenticatedAt: Date;
}

function sessionOf(assertion: Element, now: Date): ProviderSession {
  const statements = childrenNamed(assertion, ASSERTION, "AuthnStatement");
  const instants = (name: string) => statements.flatMap((statement) => instantOf(statement, name)?.getTime() ?? []);
  const [authenticated, ends] = [instants("AuthnInstant"), instants("SessionNotOnOrAfter")];
  if (authenticated.length === 0)
    throw new SamlError("wrong_structure", "The assertion has no authentication statement with a time");
  const endsAt = ends.length === 0 ? null : new Date(Math.min(...ends));
  if (endsAt && now.getTime() - CLOCK_SKEW_MS >= endsAt.getTime())
    throw new SamlError("expired", `The session at the provider ended at ${endsAt.toISOString()}`);
  const session = statements.flatMap((statement) => attributeOf(statement, "SessionIndex") ?? [])[0] ?? null;
  return {
    session: session?.slice(0, MAX_SUBJECT) ?? null,
    endsAt,
    authenticatedAt: new Date(Math.max(...authenticated)),
  };
}

/** Attributes of the assertion by name. */
function attributesOf(assertion: Element): Map<string, string[]> {
  const claims = new Map<string, string[]>();
  const attributes = childrenNamed(assertion, ASSERTION, "AttributeStatement").flatMap((statement) =>
    childrenNamed(statement, ASSERTION, "Attribute"),
  );
  if (attributes.length > MAX_ATTRIBUTES)
    throw new SamlError("too_large", `The assertion has more than ${MAX_ATTRIBUTES} attributes`);
  for (const attribute of attributes) {
    const name = attributeOf(attribute, "Name") ?? "";
    const values = childrenNamed(attribute, ASSERTION, "AttributeValue").flatMap((value) => textOf(value) ?? []);
    const all = [...(claims.get(name) ?? []), ...values.map((value) => value.slice(0, MAX_VALUE))];
    if (all.length > MOST_CLAIMED_GROUPS)
      throw new SamlError("too_large", `The attribute ${quoted(name)} has more than ${MOST_CLAIMED_GROUPS} values`);
    claims.set(name, all);
  }
  return claims;
}

/** Values of the attribute with the configured name, or with the first usual one that is there. */
function valuesOf(claims: ReadonlyMap<string, string[]>, name: string | null, usual: readonly string[]): string[] {
  if (name !== null) return claims.get(name) ?? [];
  const lower = new Map([...claims].map(([key, values]) => [key.toLowerCase(), values]));
  return usual.map((one) => lower.get(one.toLowerCase())).find((values) => values && values.length > 0) ?? [];
}
