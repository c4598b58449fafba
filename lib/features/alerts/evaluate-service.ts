import "server-only";
import type { AlertFiring, AlertRule } from "../../../prisma/generated/client";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { uuidv7 } from "../../platform/ids";
import { runSteps } from "../../platform/jobs/steps";
import type { AlertMessage } from "../../platform/outbox/vocabulary";
import { measuredText } from "./alert-text";
import { sendToChannels } from "./channels-store";
import { decide } from "./decide";
import { measure, type Measured } from "./measure-store";
import { FIRES_BELOW } from "./vocabulary";

const MINUTE_MS = 60_000;

/** The rule under evaluation, and the transaction that writes its outcomes. */
interface Evaluation {
  db: Database;
  settings: Env;
  rule: AlertRule;
  now: Date;
}

/** A subject of the rule, with its measurement, its open firing, and the time of the last message to channels. */
interface Subject {
  measured: Measured;
  firing: AlertFiring | null;
  lastNotifiedAt: Date | null;
}

/** Evaluates every enabled rule. If one fails, evaluates the others and fails at the end. */
export async function evaluateAlerts(db: Database, settings: Env, now: Date): Promise<void> {
  const rules = await db.alertRule.findMany({ where: { enabled: true }, select: { id: true }, orderBy: { id: "asc" } });
  await runSteps("alert rules", Object.fromEntries(rules.map(({ id }) => [id, () => evaluate(db, settings, id, now)])));
}

/**
 * Writes the outcomes and their notifications in one transaction. The lock on the rule makes sure that only one of
 * several processes fires.
 */
async function evaluate(db: Database, settings: Env, id: string, now: Date): Promise<void> {
  const measured = await measuredRule(db, id, now);
  if (!measured) return;
  await inTransaction(db, async (transaction) => {
    const [locked] = await transaction.$queryRaw<{ updated_at: Date | null; enabled: boolean }[]>`
      SELECT updated_at, enabled FROM alert_rules WHERE id = ${id}::uuid FOR UPDATE`;
    const { rule, subjects } = measured;
    // The rule changed while it was measured, so the next run measures the new one.
    if (!locked?.enabled || locked.updated_at?.getTime() !== rule.updatedAt?.getTime()) return;
    const open = await transaction.alertFiring.findMany({ where: { ruleId: id, resolvedAt: null } });
    const measuredSubjects = new Set(subjects.map(({ subject }) => subject));
    const gone = open
      .filter(({ subject }) => !measuredSubjects.has(subject))
      .map(({ subject }) => ({ subject, name: "", value: null, samples: 0 }));
    const lastNotified = await lastNotifications(transaction, id);
    for (const each of [...subjects, ...gone])
      await recordOutcome(
        { db: transaction, settings, rule, now },
        {
          measured: each,
          firing: open.find(({ subject }) => subject === each.subject) ?? null,
          lastNotifiedAt: lastNotified.get(each.subject) ?? null,
        },
      );
    await transaction.alertRule.update({ where: { id }, data: { evaluatedAt: now } });
  });
}

async function measuredRule(db: Database, id: string, now: Date) {
  const rule = await db.alertRule.findFirst({ where: { id, enabled: true } });
  return rule && { rule, subjects: await measure(db, rule, now) };
}

async function lastNotifications(db: Database, ruleId: string): Promise<Map<string, Date>> {
  const rows = await db.alertFiring.groupBy({
    by: ["subject"],
    where: { ruleId, isTest: false },
    _max: { notifiedAt: true },
  });
  return new Map(rows.flatMap(({ subject, _max: { notifiedAt } }) => (notifiedAt ? [[subject, notifiedAt]] : [])));
}

/** Writes the firing that a measurement starts, continues or resolves, and the messages about it. */
async function recordOutcome(
  { db, settings, rule, now }: Evaluation,
  { measured, firing, lastNotifiedAt }: Subject,
): Promise<void> {
  const { threshold, minRequests, quietMinutes, kind, windowMinutes } = rule;
  const decision = decide(
    { threshold, minRequests, quietMs: quietMinutes * MINUTE_MS, firesBelow: FIRES_BELOW.includes(kind) },
    measured,
    { firing, lastNotifiedAt },
    now,
  );
  if (decision.outcome === "ok") return;
  const notifiedAt = decision.notifies ? now : (firing?.notifiedAt ?? null);
  const { name: subject, detail } = measured;
  const text = (value: number) => measuredText({ kind, subject, value, threshold, windowMinutes, detail });
  const send = (type: AlertMessage, reported: AlertFiring) =>
    decision.notifies ? sendToChannels(db, settings, rule, reported, type, now) : Promise.resolve();
  if (decision.outcome === "fired") {
    const value = measured.value ?? 0;
    const created = await db.alertFiring.create({
      data: {
        id: uuidv7(now),
        ruleId: rule.id,
        subject: measured.subject,
        message: text(value),
        value,
        threshold,
        startedAt: now,
        notifiedAt,
      },
    });
    await send("alert.fired", created);
  } else if (firing && decision.outcome === "resolved") {
    await db.alertFiring.update({ where: { id: firing.id }, data: { resolvedAt: now } });
    await send("alert.resolved", { ...firing, resolvedAt: now });
  } else if (firing && decision.notifies && measured.value !== null) {
    await db.alertFiring.update({ where: { id: firing.id }, data: { notifiedAt } });
    await send("alert.fired", { ...firing, message: text(measured.value), value: measured.value });
  }
}
