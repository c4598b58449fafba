import "server-only";
import { z } from "zod";
import type { SignInConnection as Row, SignInTest as TestRow } from "../../../prisma/generated/client";
import { conflict, notFound } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context, PublicContext } from "../../platform/context";
import { json } from "../../platform/database/json";
import { inTransaction } from "../../platform/database/transaction";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { joinIn } from "./complete-service";
import type * as contract from "./contract";
import type { VerifiedIdentity } from "./identity";
import { toSignInConnection } from "./rows";
import { findConnection, targetOf } from "./service";
import { FLOW_LIFETIME_MS } from "./flow";
import { isComplete } from "./rules";
import { JOINS, REFUSALS } from "./vocabulary";

const MOST_TESTS = 20;
/** Longest claims that are shown, as JSON. */
const MAX_CLAIMS = 64 * 1024;

const Outcome = z.object({
  error: z.string().nullable(),
  join: z.enum(JOINS).nullable(),
  refusal: z.enum(REFUSALS).nullable(),
  person: z
    .object({
      subject: z.string(),
      email: z.string().nullable(),
      first_name: z.string().nullable(),
      last_name: z.string().nullable(),
      groups: z.array(z.string()),
    })
    .nullable(),
  claims: z.record(z.string(), z.unknown()).nullable(),
});
type Outcome = z.output<typeof Outcome>;

/** Creates a test, and forgets the connection's oldest ones. */
export async function start(
  context: Context,
  { params }: Input<typeof contract.testSignInConnection>,
): Promise<Result<typeof contract.testSignInConnection>> {
  const { now } = context;
  return inTransaction(context.db, async (db) => {
    const connection = await findConnection(db, context, params.id);
    if (!isComplete(connection))
      throw conflict("Enter the provider's settings before you test them", { reason: "incomplete" });
    const connectionId = connection.id;
    const older = await db.signInTest.findMany({
      where: { connectionId },
      orderBy: { createdAt: "desc" },
      skip: MOST_TESTS - 1,
      select: { id: true },
    });
    await db.signInTest.deleteMany({ where: { id: { in: older.map(({ id }) => id) } } });
    const { id } = await db.signInTest.create({ data: { id: uuidv7(now), connectionId, createdAt: now } });
    await recordChange(db, context, { action: "sign_in_connection.test", target: targetOf(connection) });
    const url = `${toSignInConnection(connection, context).addresses.start_url}?test=${id}`;
    return { data: { id, url } };
  });
}

const hasExpired = ({ createdAt }: TestRow, now: Date) => now.getTime() - createdAt.getTime() > 2 * FLOW_LIFETIME_MS;

export async function get(
  context: Context,
  { params }: Input<typeof contract.getSignInTest>,
): Promise<Result<typeof contract.getSignInTest>> {
  const connection = await findConnection(context.db, context, params.id);
  const row = await context.db.signInTest.findFirst({ where: { id: params.test_id, connectionId: connection.id } });
  if (!row) throw notFound();
  const outcome = row.outcome === null ? null : Outcome.parse(row.outcome);
  const pending = hasExpired(row, context.now) ? "expired" : "pending";
  return {
    data: {
      id: row.id,
      status: outcome === null ? pending : outcome.error === null ? "succeeded" : "failed",
      ...(outcome ?? { error: null, join: null, refusal: null, person: null, claims: null }),
      created_at: row.createdAt.toISOString(),
    },
  };
}

/** Finds a test that waits for the provider's answer. */
export async function findPending(context: PublicContext, connection: Row, id: string): Promise<TestRow | null> {
  const row = await context.db.signInTest.findFirst({ where: { id, connectionId: connection.id, finishedAt: null } });
  return row && !hasExpired(row, context.now) ? row : null;
}

/** Returns the claims that are stored, which aren't longer than can be shown. */
function shownClaims(claims: VerifiedIdentity["claims"]): Outcome["claims"] {
  const text = JSON.stringify(claims);
  return text.length <= MAX_CLAIMS ? { ...claims } : { truncated: text.slice(0, MAX_CLAIMS) };
}

/** Stores what the provider said about the person. The connection can be turned on if they could sign in. */
export async function succeed(
  context: PublicContext,
  connection: Row,
  testId: string,
  identity: VerifiedIdentity,
): Promise<void> {
  const join = await joinIn(context.db, connection, identity);
  const { subject, email, firstName, lastName, groups, claims } = identity;
  const isRefused = join.kind === "refused";
  await finish(context, testId, {
    error: isRefused ? join.reason : null,
    join: isRefused ? null : join.kind,
    refusal: isRefused ? join.refusal : null,
    person: { subject, email, first_name: firstName, last_name: lastName, groups: [...(groups ?? [])] },
    claims: shownClaims(claims),
  });
  if (isRefused) return;
  // Not if the connection was saved after the test had begun.
  const test = await context.db.signInTest.findUnique({ where: { id: testId } });
  if (!test) return;
  await context.db.signInConnection.updateMany({
    where: { id: connection.id, OR: [{ updatedAt: null }, { updatedAt: { lte: test.createdAt } }] },
    data: { testedAt: context.now },
  });
}

/** Stores what went wrong. */
export const fail = (context: PublicContext, testId: string, error: string): Promise<void> =>
  finish(context, testId, { error, join: null, refusal: null, person: null, claims: null });

async function finish({ db, now }: PublicContext, id: string, outcome: Outcome): Promise<void> {
  await db.signInTest.updateMany({
    where: { id, finishedAt: null },
    data: { outcome: json(outcome), finishedAt: now },
  });
}
