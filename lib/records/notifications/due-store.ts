import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Due } from "../../platform/jobs/fair-dispatch";

/**
 * Returns the due messages, at most `most` per recipient, with the first message of each recipient before all others.
 */
export const findDueNotifications = (db: Database, now: Date, most: number): Promise<(Due & { dueAt: Date })[]> =>
  db.$queryRaw`
    SELECT id, receiver, "organizationId", "dueAt" FROM (
      SELECT id::text, organization_id::text || ' ' || channel || ' ' || recipient AS receiver, organization_id::text AS "organizationId",
        next_attempt_at AS "dueAt",
        row_number() OVER (PARTITION BY organization_id, channel, recipient ORDER BY next_attempt_at, id) AS place
      FROM notifications
      WHERE status = 'pending' AND payload_ciphertext IS NOT NULL AND next_attempt_at <= ${now}::timestamptz
    ) AS due
    WHERE place <= ${most} ORDER BY place, "dueAt"`;
