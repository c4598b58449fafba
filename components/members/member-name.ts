import type { Member } from "@/lib/records/members/contract";

/** What a member is called: their name, else their e-mail address. */
export const memberName = ({
  first_name,
  last_name,
  email,
}: Pick<Member, "first_name" | "last_name" | "email">): string =>
  [first_name, last_name].filter(Boolean).join(" ") || email;
