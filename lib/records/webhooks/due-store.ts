import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Due } from "../../platform/jobs/fair-dispatch";

/**
 * Returns the due deliveries, at most `most` per webhook, with the first delivery of each webhook before all others.
 */
export const findDueDeliveries = (db: Database, now: Date, most: number): Promise<(Due & { dueAt: Date })[]> =>
  db.$queryRaw`
    SELECT due.id::text, webhooks.id::text AS receiver, webhooks.organization_id::text AS "organizationId", due.next_attempt_at AS "dueAt"
    FROM webhooks CROSS JOIN LATERAL (
      SELECT id, next_attempt_at, row_number() OVER (ORDER BY next_attempt_at, id) AS place FROM webhook_deliveries
      WHERE webhook_id = webhooks.id AND status = 'pending' AND next_attempt_at <= ${now}::timestamptz
      ORDER BY next_attempt_at, id LIMIT ${most}
    ) AS due
    ORDER BY due.place, due.next_attempt_at`;
