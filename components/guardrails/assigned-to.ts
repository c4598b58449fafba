import { count } from "@/lib/platform/count";

const plural = (amount: number, noun: string) => (amount === 0 ? [] : [count(amount, noun)]);

/** "3 keys and 1 member"; empty for an unassigned guardrail. */
export const assignedTo = ({ keys, members }: { keys: number; members: number }): string =>
  [...plural(keys, "key"), ...plural(members, "member")].join(" and ");
