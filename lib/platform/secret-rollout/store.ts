import "server-only";
import { inTransaction, type Database } from "../database/transaction";
import { unreadable, writerOf, type Instance } from "./writing-secret";
import { secretKeyId } from "../secrets";
import { StartError } from "../start-error";

/** Time after which an instance that doesn't report is gone. */
const GONE_AFTER_SECONDS = 90;

/**
 * Reports the secrets that this process can read, and returns the id of the one to encrypt with. Throws a `StartError` when
 * another instance already encrypts with a secret that this process can't read.
 * @param secretKeys newest first
 */
export function reportInstance(db: Database, id: string, secretKeys: readonly [Buffer, ...Buffer[]]): Promise<string> {
  const [newest, ...older] = secretKeys;
  const own: [string, ...string[]] = [secretKeyId(newest), ...older.map(secretKeyId)];
  return inTransaction(db, async (transaction) => {
    // One at a time, so that no instance starts while another one switches.
    await transaction.$executeRaw`LOCK TABLE instances IN SHARE ROW EXCLUSIVE MODE`;
    await transaction.$executeRaw`
      DELETE FROM instances WHERE seen_at < now() - make_interval(secs => ${GONE_AFTER_SECONDS}::int)`;
    const others: Instance[] = await transaction.instance.findMany({ where: { id: { not: id } } });
    const foreign = unreadable(own, others);
    if (foreign !== null)
      throw new StartError(
        `another instance encrypts with the secret ${foreign}, which isn't configured here; add it to SIGNALBOX_SECRET_KEY or SIGNALBOX_PREVIOUS_SECRET_KEYS`,
      );
    const writesWith = writerOf(own, others);
    await transaction.$executeRaw`
      INSERT INTO instances (id, secret_key_ids, writes_with, seen_at) VALUES (${id}::uuid, ${own}::text[], ${writesWith}, now())
      ON CONFLICT (id) DO UPDATE
        SET secret_key_ids = excluded.secret_key_ids, writes_with = excluded.writes_with, seen_at = excluded.seen_at`;
    return writesWith;
  });
}

export async function forgetInstance(db: Database, id: string): Promise<void> {
  await db.instance.deleteMany({ where: { id } });
}
