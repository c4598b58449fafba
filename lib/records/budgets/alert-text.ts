import { PERIODS } from "../../engine/budgets/vocabulary";
import type { Budget } from "./contract";

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 });
const moment = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

const inUtc = (at: string): string => `${moment.format(new Date(at)).replace(",", "")} UTC`;

function subjectText({ type, name }: Budget["subject"]): string {
  if (type === "organization") return "the organization";
  if (type === "keys") return "the keys that share it";
  return `${type === "end_user" ? "end user" : type} ${name}`;
}

/**
 * Builds a budget alert, such as "Production: key nightly-eval has used 80% of $50.00 per month. At this rate, $50.00
 * is reached on Thursday 14:00 UTC. 71% of the spend is from key nightly-eval."
 */
export function alertText(
  { guardrail_name, limit_name, subject, limit_usd, reset_interval, resets_at, remaining_usd, forecast }: Budget,
  percent: number,
): string {
  const limit = dollars.format(limit_usd);
  const period = reset_interval === null ? "" : ` ${PERIODS[reset_interval]}`;
  const source = guardrail_name ?? limit_name ?? "Own limit";
  const used = `${source}: ${subjectText(subject)} has used ${percent === 100 ? "all" : `${percent}%`} of ${limit}${period}.`;
  const [most] = forecast.contributors;
  const share = most ? ` ${Math.round(100 * most.share)}% of the spend is from key ${most.key_name}.` : "";
  return `${used} ${outlook()}.${share}`;

  function outlook(): string {
    if (remaining_usd > 0 && forecast.exhausted_at !== null)
      return `At this rate, ${limit} is reached on ${inUtc(forecast.exhausted_at)}`;
    if (resets_at === null)
      return remaining_usd > 0 ? "It never resets; at this rate, it lasts for more than a year" : "It never resets";
    const isKnown = remaining_usd > 0 && forecast.projected_usd !== null;
    return `It resets on ${inUtc(resets_at)}${isKnown ? ", before the limit is reached at this rate" : ""}`;
  }
}
