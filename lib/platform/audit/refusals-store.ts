import "server-only";
import { Batcher, batcherPerDatabase } from "../database/batcher";
import type { PublicContext } from "../context";
import type { Database } from "../database/transaction";
import { networkOf } from "../http/client-network.mjs";
import { repeatableUuid } from "../ids";
import { logger } from "../logger";
import type { AuditEvent } from "./contract";

/** A rejected credential or a denied operation. */
export interface Refusal {
  action: "session.reject" | "key.reject" | "access.deny";
  /** Null if the organization is unknown; then the installation's first one is used. */
  organizationId: string | null;
  /** Null for a caller without a valid credential, who is identified by the network. */
  actor: AuditEvent["actor"] | null;
  target: { type: string; id: string; name: string | null };
  /** What was wrong, for admins. Refusals with a reason aren't counted together, so that each is found by its request. */
  reason?: string;
}

/** An event, and the number of refusals that it counts. */
interface Counted extends Refusal {
  id: string;
  network: string | null;
  now: Date;
  requestId: string;
  count: number;
}

const MINUTE_MS = 60_000;
/** Maximum number of events of an action and organization in a minute. Further networks and callers share one more event. */
const EVENTS_PER_MINUTE = 20;
const BATCH = 500;

/** Ids of the current minute's events, by action and organization. */
let current = { minute: 0, ids: new Map<string, Set<string>>() };

/** Returns the event that counts a refusal. New events are limited, so that nobody can fill the log. */
function counted({ now, ip, requestId }: Pick<PublicContext, "now" | "ip" | "requestId">, refusal: Refusal): Counted {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  if (minute !== current.minute) current = { minute, ids: new Map() };
  const { action, organizationId, actor, target, reason } = refusal;
  const group = JSON.stringify([action, organizationId]);
  const ids = current.ids.get(group) ?? new Set();
  current.ids.set(group, ids);
  const network = networkOf(ip);
  const idOf = (...subject: readonly unknown[]) =>
    repeatableUuid(new Date(minute * MINUTE_MS), JSON.stringify([group, ...subject]));
  const id = idOf(network, actor?.id, target.type, target.id, ...(reason === undefined ? [] : [requestId]));
  if (ids.has(id) || ids.size < EVENTS_PER_MINUTE) {
    ids.add(id);
    return { ...refusal, id, network, now, requestId, count: 1 };
  }
  return {
    action,
    organizationId,
    id: idOf("others"),
    actor: { type: "anonymous", id: null, name: "Other callers" },
    target: { type: "organization", id: "others", name: null },
    network: null,
    now,
    requestId,
    count: 1,
  };
}

const refusals = batcherPerDatabase<Counted, undefined>(
  (db) => new Batcher((items) => write(db, items), { items: BATCH, weight: BATCH, weigh: () => 1 }),
);

/**
 * Records a refusal in the audit log, one event per minute, caller and target with their number. It is written after the
 * response, because a refused request changes nothing.
 */
export function recordRefusal(context: Pick<PublicContext, "db" | "now" | "ip" | "requestId">, refusal: Refusal): void {
  refusals(context.db)
    .submit(counted(context, refusal))
    .catch((err: unknown) => {
      logger().error({ err }, "a rejected request could not be added to the audit log");
    });
}

async function write(db: Database, items: readonly Counted[]): Promise<undefined[]> {
  const events = new Map<string, Counted>();
  for (const item of items) {
    const before = events.get(item.id);
    events.set(item.id, before ? { ...before, count: before.count + item.count } : item);
  }
  for (const event of events.values()) {
    const { id, organizationId, actor, action, target, reason, network, count, requestId, now } = event;
    const { type, id: actorId, name } = actor ?? { type: "anonymous", id: null, name: network };
    await db.$executeRaw`
      INSERT INTO audit_events
        (id, organization_id, actor_type, actor_id, actor_name, action, target_type, target_id, target_name, after, ip, request_id, created_at)
      SELECT ${id}::uuid, organizations.id, ${type}, ${actorId}, ${name}, ${action}, ${target.type}, ${target.id}, ${target.name},
        jsonb_strip_nulls(jsonb_build_object('count', ${count}::int, 'reason', ${reason ?? null}::text)), ${network}, ${requestId}, ${now}
      FROM organizations WHERE ${organizationId}::uuid IS NULL OR organizations.id = ${organizationId}::uuid
      ORDER BY organizations.created_at, organizations.id LIMIT 1
      ON CONFLICT (id) DO UPDATE
      SET after = audit_events.after || jsonb_build_object('count', (audit_events.after->>'count')::int + ${count}::int)`;
  }
  return items.map(() => undefined);
}
