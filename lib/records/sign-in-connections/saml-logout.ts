import { checkIssuer, type NameId } from "./saml-assertion";
import { wireOf, type SamlConfig } from "./saml-config";
import { quoted, SamlError } from "./saml-error";
import { redirectAddress, verifiedRedirect } from "./saml-redirect";
import { checkSignatures, wrongSignature } from "./saml-signature";
import {
  ASSERTION,
  attributeOf,
  childrenNamed,
  decodeBase64,
  decodeText,
  instantOf,
  isNamed,
  onlyChild,
  parseXml,
  PROTOCOL,
  textOf,
} from "./saml-xml";
import { CLOCK_SKEW_MS } from "./vocabulary";

/** A verified request of the provider to end sessions. */
export interface LogoutRequest {
  id: string;
  /** The name id whose sessions end. */
  subject: string;
  /** The provider's sessions that end; none: all of the subject. */
  sessions: readonly string[];
  relayState: string | null;
  /** When the request stops being acceptable, and its id can be forgotten. */
  expiresAt: Date;
}

/** A logout request as it arrives: by redirect, with the query not decoded, or in the body of a form. */
export type LogoutMessage = { query: string } | { form: { SAMLRequest: string; RelayState?: string | undefined } };

/** How long a logout request is accepted after it was issued. */
const LIFETIME_MS = 5 * 60_000;
const MAX_SESSIONS = 100;

/** Verifies a logout request of the provider. Nobody else may end a member's sessions, so it must be signed. */
export async function verifyLogoutRequest(
  config: SamlConfig,
  message: LogoutMessage,
  now: Date,
): Promise<LogoutRequest> {
  if ("query" in message) {
    const { xml, relayState } = verifiedRedirect(message.query, "SAMLRequest", config.certificates);
    return readLogoutRequest(config, parseXml(xml, "logout request"), relayState, now);
  }
  const { SAMLRequest: encoded, RelayState: relayState = null } = message.form;
  const root = parseXml(decodeText(decodeBase64(encoded, "logout request"), "logout request"), "logout request");
  const [signature = null] = checkSignatures(root, [root]);
  if (!signature) throw new SamlError("unsigned", "The logout request isn't signed");
  try {
    await wireOf(config).validatePostRequestAsync({ SAMLRequest: encoded });
  } catch (error) {
    throw Object.assign(wrongSignature("logout request", signature, config.certificates), { cause: error });
  }
  return readLogoutRequest(config, root, relayState, now);
}

function readLogoutRequest(config: SamlConfig, request: Element, relayState: string | null, now: Date): LogoutRequest {
  if (!isNamed(request, PROTOCOL, "LogoutRequest") || attributeOf(request, "Version") !== "2.0")
    throw new SamlError("wrong_structure", `Expected a SAML 2.0 logout request, found ${quoted(request.nodeName)}`);
  checkIssuer(onlyChild(request, ASSERTION, "Issuer"), config, "logout request");
  const destination = attributeOf(request, "Destination");
  if (destination !== config.logoutUrl)
    throw new SamlError(
      "wrong_recipient",
      `The destination of the logout request is ${quoted(destination)}, expected ${quoted(config.logoutUrl)}`,
    );
  const id = attributeOf(request, "ID");
  const subject = textOf(onlyChild(request, ASSERTION, "NameID"));
  if (id === null || subject === null)
    throw new SamlError("no_subject", "The logout request has no id or no name id that isn't encrypted");
  const sessions = childrenNamed(request, PROTOCOL, "SessionIndex").flatMap((element) => textOf(element) ?? []);
  if (sessions.length > MAX_SESSIONS)
    throw new SamlError("too_large", `The logout request names more than ${MAX_SESSIONS} sessions`);
  return { id, subject, sessions, relayState, expiresAt: endOf(request, now) };
}

function endOf(request: Element, now: Date): Date {
  const issued = instantOf(request, "IssueInstant");
  if (!issued) throw new SamlError("wrong_structure", "The logout request doesn't say when it was issued");
  if (issued.getTime() - CLOCK_SKEW_MS > now.getTime())
    throw new SamlError(
      "not_yet_valid",
      `The logout request was issued at ${issued.toISOString()}, which is in the future`,
    );
  const until = instantOf(request, "NotOnOrAfter")?.getTime() ?? Infinity;
  const end = new Date(Math.min(until, issued.getTime() + LIFETIME_MS) + CLOCK_SKEW_MS);
  if (end <= now)
    throw new SamlError("expired", `The logout request was issued at ${issued.toISOString()}, and has expired`);
  return end;
}

/** Returns the address at the provider that answers its logout request, or null if it has none. */
export function logoutAnswerAddress(
  config: SamlConfig,
  { id, answers, relayState }: { id: string; answers: string; relayState: string | null },
): string | null {
  if (config.sloUrl === null) return null;
  const profile = { ID: answers, issuer: "", nameID: "", nameIDFormat: "" };
  const xml = wireOf(config, { id })._generateLogoutResponse(profile, true);
  return redirectAddress(config.sloUrl, { parameter: "SAMLResponse", xml, relayState }, config.spPrivateKey);
}

/** Returns the address at the provider where a browser ends its session there, or null if it has none. */
export async function logoutAddress(
  config: SamlConfig,
  { id, nameId, session }: { id: string; nameId: NameId; session: string | null },
): Promise<string | null> {
  if (config.sloUrl === null) return null;
  const xml = await wireOf(config, { id })._generateLogoutRequest({
    issuer: config.idpEntityId,
    nameID: nameId.value,
    nameIDFormat: nameId.format ?? "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
    ...(nameId.nameQualifier !== null && { nameQualifier: nameId.nameQualifier }),
    ...(nameId.spNameQualifier !== null && { spNameQualifier: nameId.spNameQualifier }),
    ...(session !== null && { sessionIndex: session }),
  });
  return redirectAddress(config.sloUrl, { parameter: "SAMLRequest", xml, relayState: null }, config.spPrivateKey);
}
