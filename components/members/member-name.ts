import type { Member } from "@/lib/records/members/contract";
import { nameOf } from "@/lib/records/members/name";

type Named = Pick<Member, "first_name" | "last_name" | "email">;

/** Display name of a member: their name, or their email address without one. */
export const memberName = ({ first_name: firstName, last_name: lastName, email }: Named): string =>
  nameOf({ firstName, lastName, email });

/** Name and email address of a member, for selects: names aren't unique. */
export const memberOption = (member: Named): string => {
  const name = memberName(member);
  return name === member.email ? name : `${name} (${member.email})`;
};
