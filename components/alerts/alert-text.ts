import type { Alert, AlertFiring } from "@/lib/features/alerts/contract";
import { THRESHOLDS, type AlertKind } from "@/lib/features/alerts/vocabulary";

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** "5%", "10 requests", "1,200 ms", "30 days". */
export function valueText(kind: AlertKind, value: number): string {
  const { unit } = THRESHOLDS[kind];
  if (unit === "%") return `${numbers.format(value)}%`;
  return value === 1 && (unit === "requests" || unit === "days")
    ? `1 ${unit.slice(0, -1)}`
    : `${numbers.format(value)} ${unit}`;
}

const periodOf = (minutes: number) => (minutes === 60 ? "1 hour" : `${minutes} minutes`);

/** "Error rate: 5% or more in 15 minutes". */
export function conditionText({ kind, threshold, window_minutes }: Alert): string {
  if (kind === "deprecated_model") return `Deprecated model in use: retires within ${valueText(kind, threshold)}`;
  const condition = `${THRESHOLDS[kind].title}: ${valueText(kind, threshold)} or more`;
  return kind === "budget" ? `${condition} of a limit` : `${condition} in ${periodOf(window_minutes)}`;
}

/** "Slack, 2 emails, 1 webhook"; null without a channel. */
export function channelsText({
  slack_url,
  emails,
  webhook_ids,
}: Pick<Alert, "slack_url" | "emails" | "webhook_ids">): string | null {
  const counted = (count: number, noun: string) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`]);
  const channels = [
    ...(slack_url === null ? [] : ["Slack"]),
    ...counted(emails.length, "email"),
    ...counted(webhook_ids.length, "webhook"),
  ];
  return channels.join(", ") || null;
}

export const STATE_LABELS: Readonly<Record<AlertFiring["state"], string>> = {
  firing: "Firing",
  resolved: "Resolved",
  test: "Test",
};

export const CHANNEL_LABELS = { webhook: "Webhook", slack: "Slack", email: "Email" } as const;

export const TYPE_LABELS: Readonly<Record<string, string>> = {
  "alert.fired": "Firing",
  "alert.resolved": "Resolved",
  "alert.test": "Test",
};
