import "server-only";
import { z } from "zod";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import { recordRefusal } from "../../platform/audit/refusals-store";
import type { Context, PublicContext } from "../../platform/context";
import { StreamedAnswer } from "../../platform/http/event-stream";
import type { Input, Result } from "../../platform/http/operation";
import { Redirect } from "../../platform/http/redirect";
import { jsonIn } from "../../platform/json-values";
import { invalid, notFound } from "../../platform/api-error";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { decrypt, encrypt, randomBase62, secretKeysOf, sha256 } from "../../platform/secrets";
import { useOnce } from "../session/use-once-store";
import { pathsOf, SIGN_IN_PATH } from "./addresses";
import type { Verified } from "./complete-service";
import { endSessions } from "./end-sessions-store";
import { FLOW_LIFETIME_MS, openFlow, type Flow } from "./flow";
import { connectionOf, endFlow, refuse } from "./flow-service";
import { ProviderProblem } from "./problem";
import { claimNamesIn, ownOrigin } from "./rows";
import { checkInResponseTo, type VerifiedAssertion } from "./saml-assertion";
import type { SamlConfig } from "./saml-config";
import { SamlError } from "./saml-error";
import { logoutAddress, logoutAnswerAddress, verifyLogoutRequest, type LogoutMessage } from "./saml-logout";
import { readProviderMetadata, serviceMetadata } from "./saml-metadata";
import { signInAddress } from "./saml-request";
import { verifyResponse } from "./saml-response";
import { openSecret } from "./secret-rows";
import type { readSamlMetadata } from "./contract";
import type * as contract from "./session-saml-contract";
import { targetOf } from "./service";
import { CLAIM_NAMES, REFUSALS } from "./vocabulary";

/** Time that a browser has for coming back after its response was verified. */
const ANSWER_LIFETIME_MS = 2 * 60_000;
const TOKEN_LENGTH = 43;
const ANSWERS = "saml answers";
const PROBLEMS = "saml problems";
/** Bytes of a sealed problem: those of the longest message in any script. */
const PROBLEM_BYTES = 3200;

/** The attribute of a name; null for the default, by which any usual name is meant. */
const attributeIn = (row: Row, name: keyof typeof CLAIM_NAMES.saml) => {
  const given = claimNamesIn(row)[name];
  return given === CLAIM_NAMES.saml[name] ? null : given;
};

/**
 * Returns what the wire part needs to know about a connection. Messages are compared with its own addresses, never with those of the
 * request: a provider's answer for another application could be sent here with that application's host.
 */
export function samlConfigOf({ settings }: Pick<PublicContext, "settings">, row: Row): SamlConfig {
  const origin = ownOrigin(settings, row) ?? "";
  const paths = pathsOf(row.id);
  return {
    idpEntityId: row.idpEntityId ?? "",
    ssoUrl: row.ssoUrl ?? "",
    sloUrl: row.sloUrl,
    certificates: row.certificates,
    spEntityId: `${origin}${paths.metadata}`,
    acsUrl: `${origin}${paths.assertionConsumer}`,
    logoutUrl: `${origin}${paths.singleLogout}`,
    spPrivateKey: openSecret("spKey", settings, row, row.spKeyCiphertext ?? ""),
    spCertificate: row.spCertificate ?? "",
    attributes: {
      email: attributeIn(row, "email"),
      firstName: attributeIn(row, "first_name"),
      lastName: attributeIn(row, "last_name"),
      groups: attributeIn(row, "groups"),
    },
  };
}

const newId = () => `_${randomBase62(TOKEN_LENGTH)}`;

async function samlConnection(context: PublicContext, id: string): Promise<Row | null> {
  const row = await connectionOf(context, id);
  return row?.protocol === "saml" ? row : null;
}

/** Builds the request of a sign-in. */
export async function begin(
  context: PublicContext,
  connection: Row,
  { state, confirms }: { state: string; confirms: boolean },
): Promise<{ url: string; secrets: Record<string, string> }> {
  const origin = ownOrigin(context.settings, connection);
  if (origin !== context.origin)
    throw new ProviderProblem(
      `The sign-in began at ${context.origin}, but the connection ${origin === null ? "has no address" : `is at ${origin}`}. Set SIGNALBOX_PUBLIC_URL, or turn the connection off and save it at the right address`,
    );
  const id = newId();
  const request = { id, relayState: state, forcesSignIn: confirms };
  return { url: await signInAddress(samlConfigOf(context, connection), request), secrets: { requestId: id } };
}

/**
 * Verifies a response. It comes from another site, so without the cookie of the browser's sign-in; the redirect to `finish` has it. What
 * was verified waits in the database, and a problem is in the address, encrypted, so that nobody can have anything stored without a signature.
 */
export async function receive(
  context: PublicContext,
  { params, body }: Input<typeof contract.receiveSamlResponse>,
): Promise<Redirect> {
  const { settings, now } = context;
  const query = new URLSearchParams({ state: body.RelayState ?? "" });
  const connection = await samlConnection(context, params.id);
  try {
    if (connection) {
      const config = samlConfigOf(context, connection);
      const verified = await verifyResponse(body.SAMLResponse, { config, now });
      query.set("answer", await storeAnswer(context, connection, verified));
    }
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    const isUnsolicited = error instanceof SamlError && error.problem === "unsolicited";
    const text = JSON.stringify({ message: error.message, refusal: error.refusal, isUnsolicited });
    // Of one length, which would otherwise tell a stranger whether a forged ciphertext could be decrypted.
    const padding = " ".repeat(Math.max(0, PROBLEM_BYTES - Buffer.byteLength(text)));
    query.set("problem", encrypt(settings.secretKey, PROBLEMS, params.id, `${text}${padding}`));
  }
  return new Redirect(`${pathsOf(params.id).assertionConsumer}?${query}`);
}

const StoredNameId = z.object({
  value: z.string(),
  format: z.string().nullable(),
  nameQualifier: z.string().nullable(),
  spNameQualifier: z.string().nullable(),
});

const Answer = z.object({
  identity: z.object({
    subject: z.string(),
    email: z.string().nullable(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    groups: z.array(z.string()).nullable(),
    providerSession: z.string().nullable(),
    sessionEndsAt: z.coerce.date().nullable(),
    claims: z.record(z.string(), z.unknown()),
  }),
  nameId: StoredNameId,
  inResponseTo: z.string(),
  authenticatedAt: z.coerce.date(),
});
type Answer = z.output<typeof Answer>;

/** Records that a message was used, and refuses it if it was used before. */
async function assertFirst(db: Database, { id }: Row, messageId: string, expiresAt: Date): Promise<void> {
  if (!(await useOnce(db, `saml ${id} ${messageId}`, expiresAt)))
    throw new SamlError("replayed", `The message ${messageId} was used before`);
}

/** Stores what was verified, encrypted, and returns the token that fetches it once. */
async function storeAnswer(
  context: PublicContext,
  connection: Row,
  { assertionId, expiresAt, ...verified }: VerifiedAssertion,
): Promise<string> {
  const { settings, now } = context;
  const afterFlow = new Date(now.getTime() + FLOW_LIFETIME_MS + ANSWER_LIFETIME_MS);
  const token = randomBase62(TOKEN_LENGTH);
  const hash = sha256(token);
  await inTransaction(context.db, async (db) => {
    // Without the browser's flow, which has then ended, an assertion is worth nothing.
    await assertFirst(db, connection, assertionId, expiresAt < afterFlow ? expiresAt : afterFlow);
    await db.samlAnswer.create({
      data: {
        hash,
        connectionId: connection.id,
        answer: encrypt(settings.secretKey, ANSWERS, hash, JSON.stringify(verified)),
        expiresAt: new Date(now.getTime() + ANSWER_LIFETIME_MS),
      },
    });
  });
  return token;
}

async function takeAnswer(context: PublicContext, { id: connectionId }: Row, token: string): Promise<Answer> {
  const { db, settings, now } = context;
  const hash = sha256(token);
  const row = await db.samlAnswer.findFirst({ where: { hash, connectionId, expiresAt: { gt: now } } });
  const { count } = await db.samlAnswer.deleteMany({ where: { hash } });
  if (!row || count === 0) throw new ProviderProblem("The provider's response was used before, or has expired", "lost");
  return Answer.parse(jsonIn(decrypt(secretKeysOf(settings), ANSWERS, hash, row.answer)));
}

const Problem = z.object({ message: z.string(), refusal: z.enum(REFUSALS), isUnsolicited: z.boolean() });
type Problem = z.output<typeof Problem>;

/** Opens what `receive` found wrong. */
function problemIn({ settings }: PublicContext, { id }: Row, sealed: string): Problem {
  try {
    return Problem.parse(jsonIn(decrypt(secretKeysOf(settings), PROBLEMS, id, sealed)));
  } catch {
    return { message: "The address of the sign-in was changed", refusal: "lost", isUnsolicited: false };
  }
}

/**
 * Signs in the browser that began the sign-in, if the response answers its request. An assertion that answers no request, as a tile of
 * the provider sends it, signs nobody in, but begins a sign-in, unless this browser has begun one already.
 */
export async function finish(
  context: PublicContext,
  { params, query }: Input<typeof contract.finishSamlSignIn>,
): Promise<Redirect> {
  const connection = await samlConnection(context, params.id);
  const problem = connection && query.problem !== undefined ? problemIn(context, connection, query.problem) : null;
  if (problem?.isUnsolicited && openFlow(context.settings, context.flowToken, context.now) === null)
    return new Redirect(`${pathsOf(params.id).start}?${new URLSearchParams({ return_to: query.state ?? "/" })}`);
  return endFlow(context, connection, query.state, async (row, flow) => {
    if (problem) throw new ProviderProblem(problem.message, problem.refusal);
    return verifiedAnswer(context, row, flow, query.answer ?? "");
  });
}

async function verifiedAnswer(
  context: PublicContext,
  connection: Row,
  { secrets }: Flow,
  token: string,
): Promise<Verified> {
  const { identity, nameId, inResponseTo, authenticatedAt } = await takeAnswer(context, connection, token);
  checkInResponseTo(inResponseTo, secrets["requestId"] ?? "");
  return { identity, signOutHint: JSON.stringify(nameId), authenticatedAt };
}

export const logOutByRedirect = (
  context: PublicContext,
  { params, query }: Input<typeof contract.samlLogoutByRedirect>,
): Promise<Redirect> => logOut(context, params.id, query.SAMLRequest === undefined ? null : { query: context.search });

export const logOutByPost = (
  context: PublicContext,
  { params, body }: Input<typeof contract.samlLogoutByPost>,
): Promise<Redirect> => {
  const { SAMLRequest, RelayState } = body;
  return logOut(context, params.id, SAMLRequest === undefined ? null : { form: { SAMLRequest, RelayState } });
};

/** Ends the sessions that a provider's request names. The answer to a sign-out that began here changes nothing. */
async function logOut(context: PublicContext, id: string, message: LogoutMessage | null): Promise<Redirect> {
  const connection = await samlConnection(context, id);
  if (!connection || message === null) return new Redirect(SIGN_IN_PATH);
  const config = samlConfigOf(context, connection);
  try {
    const {
      id: answers,
      subject,
      sessions,
      relayState,
      expiresAt,
    } = await verifyLogoutRequest(config, message, context.now);
    await inTransaction(context.db, async (db) => {
      await assertFirst(db, connection, answers, expiresAt);
      for (const session of sessions.length > 0 ? sessions : [null])
        await endSessions({ ...context, db }, connection, { session, subject }, "saml");
    });
    return new Redirect(logoutAnswerAddress(config, { id: newId(), answers, relayState }) ?? SIGN_IN_PATH);
  } catch (error) {
    if (!(error instanceof ProviderProblem)) throw error;
    recordRefusal(context, {
      action: "session.reject",
      organizationId: connection.organizationId,
      actor: null,
      target: targetOf(connection),
      reason: error.message,
    });
    return refuse(context, error.refusal);
  }
}

/** Returns where a browser ends its session at the provider. `hint` is the name id of `verifiedAnswer`. */
export function signOutAddress(
  context: Context,
  connection: Row,
  { hint, session }: { hint: string | null; session: string | null },
): Promise<string | null> {
  const nameId = hint === null ? null : StoredNameId.parse(jsonIn(hint));
  return nameId === null
    ? Promise.resolve(null)
    : logoutAddress(samlConfigOf(context, connection), { id: newId(), nameId, session });
}

export async function metadata(
  context: PublicContext,
  { params }: Input<typeof contract.getSamlMetadata>,
): Promise<StreamedAnswer> {
  const connection = await samlConnection(context, params.id);
  if (!connection) throw notFound();
  const xml = serviceMetadata(samlConfigOf(context, connection), `_${connection.id}`);
  return new StreamedAnswer(xml, {
    "content-type": "application/samlmetadata+xml",
    "content-disposition": 'attachment; filename="signalbox-metadata.xml"',
  });
}

/** Reads a provider's metadata, for the form of a connection. */
export function readMetadata(
  _context: Context,
  { body }: Input<typeof readSamlMetadata>,
): Promise<Result<typeof readSamlMetadata>> {
  try {
    const { entityId, ssoUrl, sloUrl, certificates } = readProviderMetadata(body.metadata);
    return Promise.resolve({
      data: { entity_id: entityId, sso_url: ssoUrl, slo_url: sloUrl, certificates: [...certificates] },
    });
  } catch (error) {
    if (!(error instanceof SamlError)) throw error;
    throw invalid([{ path: ["metadata"], message: error.message, code: "custom" }]);
  }
}
