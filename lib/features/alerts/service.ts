import "server-only";
import type { AlertRule, Prisma } from "../../../prisma/generated/client";
import { actorOf, recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { conflict, invalid, notFound, type Issue } from "../../platform/api-error";
import { inspected, type Inspect } from "../../platform/http/inspected";
import type { Input, Result } from "../../platform/http/operation";
import { skipTake } from "../../platform/http/pagination";
import { uuidv7 } from "../../platform/ids";
import { makeDue } from "../../platform/jobs/recurring-store";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { maskedUrl } from "../../records/notifications/message";
import { lockWorkspaceAgainstDeletion, resolveWorkspaceId } from "../../records/workspaces/store";
import { measuredText } from "./alert-text";
import { sendToChannels } from "./channels-store";
import { kindIssues } from "./contract";
import type * as contract from "./contract";
import { target, toAlert, toFiring, withNotifications, withOpen, type Filters } from "./rows";
import { sealSlackUrl } from "./secret-rows";
import { ALERT_FILTERS, defaultsOf, MOST_RULES, type FIRING_STATES } from "./vocabulary";
import { lockOrganization } from "../../records/organization/lock-store";

/** Rejects addresses that this installation doesn't allow, and emails if no mail server is configured. */
const inspect: Inspect = ({ slack_url: url, emails }, { allowPrivateUpstreams, smtp }) => {
  const problem = typeof url === "string" && URL.canParse(url) ? urlProblem(url, allowPrivateUpstreams) : null;
  return [
    ...(problem === null ? [] : [{ path: ["slack_url"], message: problem, code: "address_not_allowed" }]),
    ...(!smtp && Array.isArray(emails) && emails.length > 0
      ? [{ path: ["emails"], message: "can't be sent: SIGNALBOX_SMTP_URL isn't set", code: "email_not_available" }]
      : []),
  ];
};

async function find(db: Database, { caller }: Context, id: string) {
  const row = await db.alertRule.findFirst({
    where: { id, organizationId: caller.organizationId },
    include: withOpen,
  });
  if (!row) throw notFound();
  return row;
}

async function lock(db: Database, context: Context, id: string) {
  await db.$queryRaw`SELECT 1 AS locked FROM alert_rules WHERE id = ${id}::uuid AND organization_id = ${context.caller.organizationId}::uuid FOR UPDATE`;
  return find(db, context, id);
}

/** Filters the rules of a workspace, including those of all workspaces. */
const ofWorkspace = (workspaceId: string | undefined): Prisma.AlertRuleWhereInput =>
  workspaceId === undefined ? {} : { OR: [{ workspaceId }, { workspaceId: null }] };

export async function list(
  context: Context,
  { query }: Input<typeof contract.listAlerts>,
): Promise<Result<typeof contract.listAlerts>> {
  const { caller, db, settings } = context;
  const workspaceId =
    query.workspace_id === undefined ? undefined : await resolveWorkspaceId(context, query.workspace_id);
  const where = { organizationId: caller.organizationId, ...ofWorkspace(workspaceId) };
  const rows = await db.alertRule.findMany({
    where,
    include: withOpen,
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    ...skipTake(query),
  });
  return {
    data: rows.map(toAlert),
    total_count: await db.alertRule.count({ where }),
    email_available: settings.smtp !== undefined,
  };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getAlert>,
): Promise<Result<typeof contract.getAlert>> {
  return { data: toAlert(await find(context.db, context, params.id)) };
}

export const create = inspected(
  inspect,
  async (
    context: Context,
    { body }: Input<typeof contract.createAlert>,
  ): Promise<Result<typeof contract.createAlert>> => {
    const { caller, now } = context;
    const identity = { id: uuidv7(now), organizationId: caller.organizationId };
    return inTransaction(context.db, async (db) => {
      await lockOrganization(db, caller.organizationId);
      if ((await db.alertRule.count({ where: { organizationId: caller.organizationId } })) >= MOST_RULES)
        throw conflict(`An organization can have at most ${MOST_RULES} alert rules. Delete one first`);
      const rule = { ...defaultsOf(body.kind), workspace_id: null, webhook_ids: [], emails: [], ...body };
      await assertKnown(db, context, rule);
      const row = await db.alertRule.create({
        data: {
          ...identity,
          ...toColumns(rule),
          ...slackColumns(context, identity, body.slack_url),
          name: rule.name,
          kind: rule.kind,
          threshold: rule.threshold,
          windowMinutes: rule.window_minutes,
          minRequests: rule.min_requests,
          quietMinutes: rule.quiet_minutes,
          filters: filtersOf(rule),
          createdAt: now,
        },
        include: withOpen,
      });
      const alert = toAlert(row);
      await recordChange(db, context, {
        action: "alert.create",
        target: target(row),
        workspaceId: row.workspaceId,
        after: alert,
      });
      await evaluateSoon(db);
      return { data: alert };
    });
  },
);

/** Disabling a rule resolves its open firings without a notification. */
export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateAlert>,
  ): Promise<Result<typeof contract.updateAlert>> =>
    inTransaction(context.db, async (db) => {
      const { now } = context;
      const row = await lock(db, context, params.id);
      const before = toAlert(row);
      const rule = { ...before, ...body };
      const issues = kindIssues(rule);
      if (issues.length > 0) throw invalid(issues);
      await assertKnown(db, context, body);
      await db.alertRule.update({
        where: { id: row.id },
        data: {
          ...toColumns(body),
          ...slackColumns(context, row, body.slack_url),
          filters: filtersOf(rule),
          updatedAt: now,
        },
      });
      if (body.enabled === false)
        await db.alertFiring.updateMany({ where: { ruleId: row.id, resolvedAt: null }, data: { resolvedAt: now } });
      const after = toAlert(await find(db, context, row.id));
      await recordChange(db, context, {
        action: "alert.update",
        target: target(after),
        workspaceId: after.workspace_id,
        before,
        after,
      });
      await evaluateSoon(db);
      return { data: after };
    }),
);

/** Evaluates rules without waiting for the next minute. */
const evaluateSoon = (db: Database) => makeDue(db, "watch");

const toColumns = (body: Partial<contract.UpdateAlertBody>) => ({
  name: body.name,
  workspaceId: body.workspace_id,
  threshold: body.threshold,
  windowMinutes: body.window_minutes,
  minRequests: body.min_requests,
  quietMinutes: body.quiet_minutes,
  webhookIds: body.webhook_ids,
  emails: body.emails,
  enabled: body.enabled,
});

const filtersOf = (rule: Partial<contract.UpdateAlertBody>): Filters =>
  Object.fromEntries(
    ALERT_FILTERS.flatMap((name) => {
      const value = rule[name] ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );

const slackColumns = (
  { settings }: Context,
  row: Pick<AlertRule, "id" | "organizationId">,
  url: string | null | undefined,
) =>
  url === undefined
    ? {}
    : {
        slackCiphertext: url === null ? null : sealSlackUrl(settings, row, url),
        slackHint: url === null ? null : maskedUrl(url),
      };

/** Rejects references to objects that the organization doesn't have. */
async function assertKnown(db: Database, context: Context, body: Partial<contract.UpdateAlertBody>): Promise<void> {
  const { organizationId } = context.caller;
  const { workspace_id, key_hash, user_id, guardrail_id, provider, webhook_ids } = body;
  const issues: Issue[] = [];
  const check = async (field: string, noun: string, value: string | null | undefined, found: () => Promise<number>) => {
    if (value !== null && value !== undefined && (await found()) === 0)
      issues.push({ path: [field], message: `is not a ${noun} of the organization`, code: "custom" });
  };
  await check("workspace_id", "workspace", workspace_id, async () =>
    (await lockWorkspaceAgainstDeletion(db, context, workspace_id ?? undefined)) === null ? 0 : 1,
  );
  await check("key_hash", "key", key_hash, () =>
    db.key.count({ where: { hash: key_hash ?? undefined, organizationId, deletedAt: null } }),
  );
  await check("user_id", "member", user_id, () =>
    db.member.count({ where: { id: user_id ?? undefined, organizationId, deletedAt: null } }),
  );
  await check("guardrail_id", "guardrail", guardrail_id, () =>
    db.guardrail.count({ where: { id: guardrail_id ?? undefined, deletedAt: null, workspace: { organizationId } } }),
  );
  await check("provider", "provider", provider, () =>
    db.provider.count({ where: { slug: provider ?? undefined, organizationId } }),
  );
  const webhooks = await db.webhook.findMany({
    where: { id: { in: webhook_ids ?? [] }, organizationId },
    select: { id: true },
  });
  const known = new Set(webhooks.map(({ id }) => id));
  for (const [index, id] of (webhook_ids ?? []).entries())
    if (!known.has(id))
      issues.push({ path: ["webhook_ids", index], message: "is not a webhook of the organization", code: "custom" });
  if (issues.length > 0) throw invalid(issues);
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteAlert>,
): Promise<Result<typeof contract.deleteAlert>> {
  return inTransaction(context.db, async (db) => {
    const row = await lock(db, context, params.id);
    await db.alertRule.delete({ where: { id: row.id } });
    await recordChange(db, context, {
      action: "alert.delete",
      target: target(row),
      workspaceId: row.workspaceId,
      before: toAlert(row),
    });
    return { deleted: true as const };
  });
}

/** Sends a test message with the threshold as its value. */
export async function test(
  context: Context,
  { params }: Input<typeof contract.testAlert>,
): Promise<Result<typeof contract.testAlert>> {
  const { now, settings } = context;
  return inTransaction(context.db, async (db) => {
    const rule = await lock(db, context, params.id);
    const { kind, threshold, windowMinutes } = rule;
    if ((rule.webhookIds as string[]).length + (rule.emails as string[]).length === 0 && rule.slackCiphertext === null)
      throw conflict("The alert rule has no channel. Add a webhook, Slack or email first");
    const text = measuredText({ kind, subject: "", value: threshold, threshold, windowMinutes });
    const firing = await db.alertFiring.create({
      data: {
        id: uuidv7(now),
        ruleId: rule.id,
        subject: "",
        message: `This is a test, sent by ${actorOf(context.caller).name}. Example: ${text}`,
        value: threshold,
        threshold,
        isTest: true,
        startedAt: now,
        notifiedAt: now,
        resolvedAt: now,
      },
    });
    await sendToChannels(db, settings, rule, firing, "alert.test", now);
    await recordChange(db, context, {
      action: "alert.test",
      target: target(rule),
      workspaceId: rule.workspaceId,
      after: { firing_id: firing.id },
    });
    return {
      data: toFiring(await db.alertFiring.findUniqueOrThrow({ where: { id: firing.id }, include: withNotifications })),
    };
  });
}

const STATE_FILTERS: Record<(typeof FIRING_STATES)[number], Prisma.AlertFiringWhereInput> = {
  firing: { resolvedAt: null },
  resolved: { resolvedAt: { not: null }, isTest: false },
  test: { isTest: true },
};

export async function listFirings(
  context: Context,
  { query }: Input<typeof contract.listAlertFirings>,
): Promise<Result<typeof contract.listAlertFirings>> {
  const { caller, db } = context;
  const workspaceId =
    query.workspace_id === undefined ? undefined : await resolveWorkspaceId(context, query.workspace_id);
  const where: Prisma.AlertFiringWhereInput = {
    rule: { id: query.alert_id, organizationId: caller.organizationId, ...ofWorkspace(workspaceId) },
    ...(query.state && STATE_FILTERS[query.state]),
  };
  const rows = await db.alertFiring.findMany({
    where,
    include: withNotifications,
    orderBy: [{ startedAt: "desc" }, { id: "desc" }],
    ...skipTake(query),
  });
  return { data: rows.map(toFiring), total_count: await db.alertFiring.count({ where }) };
}
