import type { Member } from "@/lib/records/members/contract";

/** Display name of a member: their name, or else their email address. */
export const memberName = ({
  first_name,
  last_name,
  email,
}: Pick<Member, "first_name" | "last_name" | "email">): string =>
  [first_name, last_name].filter(Boolean).join(" ") || email;

/** Name and email address of a member where members are chosen: names aren't unique. */
export const memberOption = (member: Pick<Member, "first_name" | "last_name" | "email">): string => {
  const name = memberName(member);
  return name === member.email ? name : `${name} (${member.email})`;
};
