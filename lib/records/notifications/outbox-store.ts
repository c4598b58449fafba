import "server-only";
import type { Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { uuidv7 } from "../../platform/ids";
import { maskedUrl, type Payload } from "./message";
import { sealPayload } from "./secret-rows";
import type { NotificationType } from "./vocabulary";

interface Outgoing {
  organizationId: string;
  type: NotificationType;
  firingId: string | null;
  payload: Payload;
}

/** Writes messages that are due at once, in the transaction of the reported change. */
export async function notify(db: Database, settings: Env, outgoing: readonly Outgoing[], now: Date): Promise<void> {
  if (outgoing.length === 0) return;
  const rows = outgoing.map(({ payload, ...rest }) => {
    const row = { ...rest, id: uuidv7(now) };
    return {
      ...row,
      channel: payload.channel,
      recipient: payload.channel === "slack" ? maskedUrl(payload.url) : payload.to,
      payloadCiphertext: sealPayload(settings, row, payload),
      nextAttemptAt: now,
      createdAt: now,
    };
  });
  await db.notification.createMany({ data: rows });
}
