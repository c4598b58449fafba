import "server-only";
import type { AlertRule } from "../../../prisma/generated/client";
import type { Filters } from "../alerts/rows";
import { formatReference, secretOf } from "./canonical";
import type { FileAlert, PlacedReference, PolicyFileObjects } from "./contract";

interface Numbered<Row> {
  row: Row;
  copy: number;
}

/** Objects that rules refer to by name. */
type Named = Pick<PolicyFileObjects, "workspaces" | "guardrails" | "keys" | "members"> & { providers: string[] };

const placed = ({ workspace, name, copy }: { workspace: string; name: string; copy: number }): PlacedReference => ({
  workspace,
  name,
  ...(copy > 1 && { copy }),
});

/**
 * Converts alert rules to names, with the ids behind them. Omits rules that measure a deleted object, because they
 * measure nothing.
 */
export function toFileAlerts(
  rules: readonly Numbered<AlertRule>[],
  webhooks: readonly Numbered<{ id: string; name: string }>[],
  named: Named,
): { file: FileAlert[] } & Pick<PolicyFileObjects, "alerts" | "webhooks"> {
  const references = new Map(webhooks.map(({ row, copy }) => [row.id, formatReference(row.name, copy)]));
  return {
    file: rules.flatMap((rule) => {
      const measured = measuredBy(rule.row, named);
      return measured ? [{ ...toFileAlert(rule, references), ...measured }] : [];
    }),
    alerts: rules.map(({ row: { name, id }, copy }) => ({ name, copy, id })),
    webhooks: webhooks.map(({ row: { name, id }, copy }) => ({ name, copy, id })),
  };
}

const toFileAlert = (
  { row, copy }: Numbered<AlertRule>,
  webhooks: ReadonlyMap<string, FileAlert["name"] | object>,
) => ({
  name: row.name,
  copy,
  kind: row.kind,
  threshold: row.threshold,
  window_minutes: row.windowMinutes,
  min_requests: row.minRequests,
  quiet_minutes: row.quietMinutes,
  webhooks: (row.webhookIds as string[]).flatMap((id) => webhooks.get(id) ?? []) as NonNullable<FileAlert["webhooks"]>,
  ...(row.slackCiphertext !== null && {
    slack_url: secretOf("ALERT", row.name, ...(copy === 1 ? [] : [String(copy)]), "SLACK_URL"),
  }),
  emails: row.emails as string[],
  enabled: row.enabled,
});

/** Returns workspace and filters of a rule; null if one of them no longer exists. */
function measuredBy(
  { workspaceId, filters }: AlertRule,
  { workspaces, guardrails, keys, members, providers }: Named,
): Pick<FileAlert, "workspace" | "key" | "member" | "guardrail" | "provider"> | null {
  const { key_hash, user_id, guardrail_id, provider } = filters as Filters;
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  const key = keys.find(({ hash }) => hash === key_hash);
  const member = members.find(({ id }) => id === user_id);
  const guardrail = guardrails.find(({ id }) => id === guardrail_id);
  const isGone =
    (workspaceId !== null && !workspace) ||
    (key_hash !== undefined && !key) ||
    (user_id !== undefined && !member) ||
    (guardrail_id !== undefined && !guardrail) ||
    (provider !== undefined && !providers.includes(provider));
  if (isGone) return null;
  return {
    ...(workspace && { workspace: workspace.slug }),
    ...(key && { key: placed(key) }),
    ...(member && { member: member.email }),
    ...(guardrail && { guardrail: placed(guardrail) }),
    ...(provider !== undefined && { provider }),
  };
}
