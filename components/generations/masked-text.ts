import type { Masked } from "@/lib/features/content-access/contract";
import type { Decision } from "@/lib/engine/decision/contract";
import { isCheck } from "./decision-stages";

const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  secrets: ["secret", "secrets"],
  email: ["email address", "email addresses"],
  phone: ["phone number", "phone numbers"],
  ssn: ["Social Security number", "Social Security numbers"],
  "credit-card": ["card number", "card numbers"],
  "ip-address": ["IP address", "IP addresses"],
  "person-name": ["person’s name", "people’s names"],
  address: ["postal address", "postal addresses"],
};

/** From this count on, the API only reports a lower bound. */
const COUNTED = 100;

const describe = ({ rule, count }: Masked): string => {
  const [one, many] = NAMES[rule] ?? [`match of ${rule}`, `matches of ${rule}`];
  return `${count}${count >= COUNTED ? " or more" : ""} ${count === 1 ? one : many}`;
};

const list = new Intl.ListFormat("en-GB");

/** `2 email addresses and 1 match of [PROJECT]`; messages that checks or judges rejected are masked as a whole. */
export function describeMasked(masked: readonly Masked[], decisions: readonly Decision[]): string {
  const checks = new Set(decisions.filter(isCheck).map(({ rule }) => rule));
  const rejecting = masked.filter(({ rule }) => checks.has(rule)).map(({ rule }) => `“${rule}”`);
  const matches = masked.filter(({ rule }) => !checks.has(rule)).map(describe);
  return list.format([...matches, ...(rejecting.length > 0 ? [`messages rejected by ${list.format(rejecting)}`] : [])]);
}
