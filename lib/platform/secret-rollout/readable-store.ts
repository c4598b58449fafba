import "server-only";
import type { Database } from "../database/transaction";
import { secretKeyId } from "../secrets";
import { StartError } from "../start-error";

/**
 * Fails if a stored value is encrypted with a secret that isn't in `secretKeys`. Stored responses to idempotent requests don't count,
 * because they expire within a day.
 */
export async function assertReadable(db: Database, secretKeys: readonly Buffer[]): Promise<void> {
  const known = secretKeys.map(secretKeyId);
  const [foreign] = await db.$queryRaw<{ id: string }[]>`
    SELECT split_part(ciphertext, '.', 2) AS id
    FROM (
      SELECT ciphertext FROM content_keys
      UNION ALL SELECT api_key_ciphertext FROM providers
      UNION ALL SELECT named.value FROM providers,
        jsonb_each_text(CASE WHEN jsonb_typeof(credentials) = 'object' THEN credentials ELSE '{}' END) AS named
      UNION ALL SELECT named.value FROM providers,
        jsonb_each_text(CASE WHEN jsonb_typeof(headers) = 'object' THEN headers ELSE '{}' END) AS named
      UNION ALL SELECT named.value FROM guardrails,
        jsonb_each_text(CASE WHEN jsonb_typeof(check_secrets) = 'object' THEN check_secrets ELSE '{}' END) AS named
      UNION ALL SELECT secret_ciphertext FROM webhooks
      UNION ALL SELECT previous_secret_ciphertext FROM webhooks
      UNION ALL SELECT slack_ciphertext FROM alert_rules
      UNION ALL SELECT secret_ciphertext FROM export_destinations
      UNION ALL SELECT payload_ciphertext FROM notifications
      UNION ALL SELECT totp_secret FROM members
      UNION ALL SELECT client_secret_ciphertext FROM sign_in_connections
      UNION ALL SELECT sp_key_ciphertext FROM sign_in_connections
      UNION ALL SELECT sign_out_hint FROM sessions
    ) AS sealed
    WHERE ciphertext LIKE 'v2.%' AND split_part(ciphertext, '.', 2) <> ALL (${known}::text[])
    LIMIT 1`;
  if (foreign)
    throw new StartError(
      `SIGNALBOX_SECRET_KEY isn't the key of this database: stored secrets are encrypted with the secret key ${foreign.id}, ` +
        `and ${known.join(", ")} is configured. Set SIGNALBOX_SECRET_KEY to that key, or add it to SIGNALBOX_PREVIOUS_SECRET_KEYS`,
    );
}
