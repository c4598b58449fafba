import { fieldName } from "@/components/generations/decision-text";
import { zdrRule } from "@/components/guardrails/zdr-groups";
import { formatUsd } from "@/components/ui/usd";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import type { Exception } from "@/lib/records/exceptions/contract";

type Thing = Pick<Exception, "kind" | "guardrail_name" | "field" | "rule" | "raise_usd" | "phrase">;

const of = ({ guardrail_name }: Thing) => (guardrail_name === null ? "the key’s own limit" : `“${guardrail_name}”`);

/** Short description of an exception's effect. `vendors` are those with a ZDR field of their own. */
export function describeException(exception: Thing, vendors: readonly string[]): string {
  const { kind, field, raise_usd, phrase } = exception;
  const rule = ruleName(exception);
  if (kind === "allow_phrase") return `Phrase “${phrase}” allowed by content filters`;
  if (kind === "raise_limit")
    return exception.guardrail_name === null
      ? `Key’s own limit raised by ${formatUsd(raise_usd ?? 0)}`
      : `Limit of ${of(exception)} raised by ${formatUsd(raise_usd ?? 0)}`;
  return `${of(exception)}: ${zdrRule(field ?? "", vendors) ?? fieldName(field ?? "")}${rule === null ? "" : ` “${rule}”`} lifted`;
}

const SECOND_MS = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const two = (value: number) => String(Math.floor(value)).padStart(2, "0");

/** "2 d 03 h", or "03:12:45" for less than a day. Fixed width. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND_MS));
  return seconds >= DAY
    ? `${Math.floor(seconds / DAY)} d ${two((seconds % DAY) / HOUR)} h`
    : `${two(seconds / HOUR)}:${two((seconds % HOUR) / MINUTE)}:${two(seconds % MINUTE)}`;
}
