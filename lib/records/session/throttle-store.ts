import "server-only";
import { ApiError } from "../../platform/api-error";
import type { PublicContext } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";
import { networkOf } from "../../platform/http/client-network.mjs";
import { keyedHash } from "../../platform/secrets";
import { failedAgain, waitOf, type Failures, type Subject } from "./throttle";

/** An attempt counted as failed in advance, so that parallel guesses can't exceed the limit. */
export interface Attempt {
  keys: Readonly<Partial<Record<Subject, string>>>;
}

/** Text that identifies each subject of an attempt. Only a keyed hash of it is stored. */
type Subjects = Readonly<Partial<Record<Subject, string>>>;

/** Returns the subjects of an attempt from an account's known browser. Its failures count only for the browser. */
export const knownClient = (name: string): Subjects => ({ client: `known:${name}` });

/** Returns the subjects of an attempt from any other client. */
export function unknownClient({ ip }: PublicContext, account: string | null): Subjects {
  const network = networkOf(ip);
  if (account === null) return { network };
  return { account, network, client: `${account} ${network}` };
}

interface Row {
  key: string;
  count: number;
  last_at: Date;
}

/** Counts an attempt; throws a 429 when it comes too early. Rejected attempts don't count. */
export async function startAttempt(context: PublicContext, subjects: Subjects): Promise<Attempt> {
  const { db, now, settings } = context;
  const keys = Object.fromEntries(
    Object.entries(subjects).map(([subject, text]) => [
      subject,
      keyedHash(settings.secretKey, "sign-in failures", `${subject} ${text}`),
    ]),
  ) as Attempt["keys"];
  // Sorted, so that concurrent attempts lock their rows in the same order.
  const sorted = Object.values(keys).sort();
  const wait = await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`
      INSERT INTO sign_in_failures (key, count, last_at) SELECT unnest(${sorted}::text[]), 0, ${now}
      ON CONFLICT DO NOTHING`;
    const rows = await transaction.$queryRaw<Row[]>`
      SELECT key, count, last_at FROM sign_in_failures WHERE key = ANY(${sorted}::text[]) ORDER BY key FOR UPDATE`;
    const found = new Map(rows.map(({ key, count, last_at }) => [key, { count, lastAt: last_at }]));
    const failures: Partial<Record<Subject, Failures>> = Object.fromEntries(
      Object.entries(keys).map(([subject, key]) => [subject, found.get(key)]),
    );
    const left = waitOf(failures, now);
    if (left > 0) return left;
    for (const key of sorted) {
      const { count, lastAt } = failedAgain(found.get(key), now);
      await transaction.$executeRaw`UPDATE sign_in_failures SET count = ${count}, last_at = ${lastAt} WHERE key = ${key}`;
    }
    return 0;
  });
  if (wait > 0) throw tooMany(Math.ceil(wait / 1000));
  return { keys };
}

const tooMany = (seconds: number) =>
  new ApiError(429, "Too many failed attempts", { retry_after: seconds }, { "retry-after": String(seconds) });

/** Removes the failure that was counted in advance, because the attempt was incomplete and neither right nor wrong. */
export async function undoAttempt({ db }: PublicContext, { keys }: Attempt): Promise<void> {
  await inTransaction(db, async (transaction) => {
    for (const key of Object.values(keys).sort())
      await transaction.$executeRaw`UPDATE sign_in_failures SET count = greatest(count - 1, 0) WHERE key = ${key}`;
  });
}

/** Ends a successful attempt, and forgets the client's earlier failures. */
export async function endAttempt(context: PublicContext, attempt: Attempt): Promise<void> {
  await undoAttempt(context, attempt);
  const { client } = attempt.keys;
  if (client !== undefined) await context.db.$executeRaw`DELETE FROM sign_in_failures WHERE key = ${client}`;
}
