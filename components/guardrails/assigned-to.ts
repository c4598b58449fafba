const plural = (amount: number, noun: string) => (amount === 0 ? [] : [`${amount} ${noun}${amount === 1 ? "" : "s"}`]);

/** "3 keys and 1 member"; empty for an unassigned guardrail. */
export const assignedTo = ({ keys, members }: { keys: number; members: number }): string =>
  [...plural(keys, "key"), ...plural(members, "member")].join(" and ");
