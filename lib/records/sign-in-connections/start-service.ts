import "server-only";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import type { PublicContext } from "../../platform/context";
import type { Input, Result } from "../../platform/http/operation";
import type { Redirect } from "../../platform/http/redirect";
import { pathsOf } from "./addresses";
import { beginFlow, connectionOf } from "./flow-service";
import * as oidc from "./oidc-service";
import { domainOf } from "./rules";
import * as saml from "./saml-service";
import type * as contract from "./session-contract";

/** Connections that the sign-in page shows as buttons. */
const MOST_SHOWN = 5;

type Choice = Pick<Row, "id" | "name">;
const toChoice = ({ id, name }: Choice) => ({ id, name, start_url: pathsOf(id).start });

export async function options({ db }: PublicContext): Promise<Result<typeof contract.getSignInOptions>> {
  const rows = await db.signInConnection.findMany({
    where: { enabled: true },
    orderBy: { createdAt: "asc" },
    select: { id: true, name: true },
    take: MOST_SHOWN + 1,
  });
  const isSingle = rows.length <= MOST_SHOWN && (await db.organization.count({ take: 2 })) === 1;
  return { data: { email_first: rows.length > 0, connections: isSingle ? rows.map(toChoice) : [] } };
}

/** Looks at the domain only, so that nobody learns who has an account. */
export async function choose(
  { db }: PublicContext,
  { body }: Input<typeof contract.chooseSignIn>,
): Promise<Result<typeof contract.chooseSignIn>> {
  const found = await db.signInDomain.findUnique({
    where: { domain: domainOf(body.email) },
    select: { connection: { select: { id: true, name: true } } },
  });
  return { data: { connection: found && toChoice(found.connection) } };
}

export async function start(
  context: PublicContext,
  { params, query }: Input<typeof contract.startSignIn>,
): Promise<Redirect> {
  const confirms = query.confirm === "true";
  const flow = { returnTo: query.return_to, testId: query.test, confirms };
  return beginFlow(context, await connectionOf(context, params.id), flow, async (connection, state) => {
    if (connection.protocol === "oidc") return oidc.begin(context, connection, { state, email: query.email, confirms });
    return saml.begin(context, connection, { state, confirms });
  });
}
