import "server-only";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import { localPath } from "../../browser/sign-in-path";
import { recordChange } from "../../platform/audit/store";
import { recordRefusal } from "../../platform/audit/refusals-store";
import type { PublicContext } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import { Redirect } from "../../platform/http/redirect";
import { randomBase62 } from "../../platform/secrets";
import { findSession } from "../members/session-store";
import { setCookie } from "../session/browser-cookies";
import { provedAt } from "../session/start-session-service";
import { useOnce } from "../session/use-once-store";
import { SIGN_IN_PATH } from "./addresses";
import { completeSignIn, lockConnection, type Verified } from "./complete-service";
import { FLOW_LIFETIME_MS, openFlow, sealFlow, type Flow } from "./flow";
import { ProviderProblem } from "./problem";
import { targetOf } from "./service";
import { fail, findPending, succeed } from "./tests-service";
import { CLOCK_SKEW_MS, MAX_RETURN_PATH, type Refusal } from "./vocabulary";

const STATE_LENGTH = 43;
/** Pages that end a test, or the confirmation of an identity, in a tab of their own. */
const DONE_PATH = "/sign-in/done";

/** Finds a connection for a request without a session. */
export const connectionOf = ({ db }: PublicContext, id: string): Promise<Row | null> =>
  db.signInConnection.findUnique({ where: { id } });

const shortPath = (path: string) => (path.length <= MAX_RETURN_PATH ? path : "/");

export interface FlowOptions {
  returnTo: string | undefined;
  testId: string | undefined;
  confirms: boolean;
}

/** What a protocol begins: the provider's address, and what the answer is compared with. */
interface Begun {
  url: string;
  secrets: Readonly<Record<string, string>>;
}

/**
 * Begins a sign-in, a test or a confirmation, bound to the browser by a cookie, and redirects to the provider.
 * @param begin builds the request of the connection's protocol
 */
export async function beginFlow(
  context: PublicContext,
  connection: Row | null,
  { returnTo, testId, confirms }: FlowOptions,
  begin: (connection: Row, state: string) => Promise<Begun>,
): Promise<Redirect> {
  const test = connection && testId !== undefined ? await findPending(context, connection, testId) : null;
  if (!connection || (testId !== undefined && !test)) return refuse(context, "lost");
  if (!test && !connection.enabled) return refuse(context, "disabled");
  const session =
    confirms && context.sessionToken !== null ? await findSession(context.db, context.sessionToken, context.now) : null;
  if (confirms && !session) return refuse(context, "lost");
  const flow = {
    connectionId: connection.id,
    state: randomBase62(STATE_LENGTH),
    returnTo: shortPath(localPath(returnTo)),
    testId: test?.id ?? null,
    memberId: session?.caller.userId ?? null,
    endsAt: context.now.getTime() + FLOW_LIFETIME_MS,
  };
  try {
    const { url, secrets } = await begin(connection, flow.state);
    storeFlow(context, sealFlow(context.settings, { ...flow, secrets: { ...secrets } }));
    return new Redirect(url);
  } catch (error) {
    return failed(context, connection, { ...flow, secrets: {} }, error);
  }
}

/**
 * Ends what a browser began: verifies the provider's answer, and signs in, stores the test's outcome or confirms the identity. Each
 * flow ends once.
 * @param verify checks the answer by the flow's secrets
 */
export async function endFlow(
  context: PublicContext,
  connection: Row | null,
  state: string | undefined,
  verify: (connection: Row, flow: Flow) => Promise<Verified>,
): Promise<Redirect> {
  const flow = openFlow(context.settings, context.flowToken, context.now);
  storeFlow(context, null);
  if (
    !connection ||
    !flow ||
    flow.connectionId !== connection.id ||
    flow.state !== state ||
    !(await useOnce(context.db, `sign-in ${flow.state}`, new Date(flow.endsAt)))
  )
    return refuse(context, "lost");
  if (flow.testId === null && !connection.enabled) return refuse(context, "disabled");
  try {
    const verified = await verify(connection, flow);
    if (flow.testId !== null) await succeed(context, connection, flow.testId, verified.identity);
    else if (flow.memberId !== null) await confirm(context, connection, { ...flow, memberId: flow.memberId }, verified);
    else await completeSignIn(context, connection, verified);
    return new Redirect(flow.testId === null && flow.memberId === null ? flow.returnTo : doneAt(flow));
  } catch (error) {
    return failed(context, connection, flow, error);
  }
}

const doneAt = ({ testId }: Flow) => `${DONE_PATH}?for=${testId === null ? "confirm" : "test"}`;

const storeFlow = ({ headers, origin }: PublicContext, token: string | null) =>
  headers.append("set-cookie", setCookie("flow", token, FLOW_LIFETIME_MS / 1000, origin.startsWith("https:")));

/**
 * Renews the proof of identity of the browser's session, if the provider says that the same member gave one for this flow. The request
 * for it passes through the browser, where it can be taken out.
 */
async function confirm(
  context: PublicContext,
  begun: Row,
  { memberId, endsAt }: Flow & { memberId: string },
  { identity, authenticatedAt }: Verified,
): Promise<void> {
  const { now, sessionToken } = context;
  const earliest = endsAt - FLOW_LIFETIME_MS - CLOCK_SKEW_MS;
  if (authenticatedAt === null || authenticatedAt.getTime() < earliest)
    throw new ProviderProblem(
      `The provider ${authenticatedAt ? "didn't ask the person to sign in again" : "doesn't say when the person signed in"} (\`auth_time\`, AuthnInstant)`,
    );
  await inTransaction(context.db, async (db) => {
    const { id: connectionId, name } = await lockConnection(db, begun);
    const known = await db.memberIdentity.findUnique({
      where: { connectionId_subject: { connectionId, subject: identity.subject } },
    });
    const session = sessionToken === null ? null : await findSession(db, sessionToken, now);
    if (known?.memberId !== memberId || session?.caller.userId !== memberId)
      throw new ProviderProblem("Another person signed in to confirm the member's identity", "other_person");
    const { caller } = session;
    await db.session.updateMany({
      where: { id: caller.sessionId },
      data: { authenticatedAt: provedAt({ authenticatedAt }, now) },
    });
    await recordChange(
      db,
      { ...context, caller },
      {
        action: "session.reauthenticate",
        target: { type: "member", id: memberId, name: caller.userName },
        after: { connection: name },
      },
    );
  });
}

/** Tells the person and, in words for an admin, the test or the audit log. */
async function failed(context: PublicContext, connection: Row, flow: Flow, error: unknown): Promise<Redirect> {
  if (!(error instanceof ProviderProblem)) throw error;
  if (flow.testId !== null) {
    await fail(context, flow.testId, error.message);
    return new Redirect(`${doneAt(flow)}&refusal=${error.refusal}`);
  }
  recordRefusal(context, {
    action: "session.reject",
    organizationId: connection.organizationId,
    actor: null,
    target: targetOf(connection),
    reason: error.message,
  });
  if (flow.memberId !== null) return new Redirect(`${doneAt(flow)}&refusal=${error.refusal}`);
  return refuse(context, error.refusal, flow.returnTo);
}

/** Shows the person a message with the request's ID. */
export function refuse({ requestId }: PublicContext, refusal: Refusal, next = "/"): Redirect {
  const query = new URLSearchParams({ refusal, request: requestId, ...(next !== "/" && { next }) });
  return new Redirect(`${SIGN_IN_PATH}?${query}`);
}
