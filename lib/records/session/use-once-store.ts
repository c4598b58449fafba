import "server-only";
import type { Database } from "../../platform/database/transaction";
import { sha256 } from "../../platform/secrets";

/** Records that a text was used, until it expires. Returns false if it was used before. */
export async function useOnce(db: Database, text: string, expiresAt: Date): Promise<boolean> {
  const { count } = await db.usedChallenge.createMany({
    data: [{ hash: sha256(text), expiresAt }],
    skipDuplicates: true,
  });
  return count === 1;
}
