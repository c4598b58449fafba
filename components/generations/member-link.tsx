"use client";
import { useQuery } from "@tanstack/react-query";
import { memberName } from "@/components/members/member-name";
import { memberQuery } from "@/components/members/member-queries";
import { useUser } from "@/components/session/user-context";
import { TextLink } from "@/components/ui/text-link";

/** Name of a member, linked for admins; others see only their own requests. */
export function MemberLink({ id }: { id: string }) {
  const { isAdmin } = useUser();
  const member = useQuery({ ...memberQuery(id), enabled: isAdmin, select: ({ data }) => data });
  if (!isAdmin) return <>You</>;
  if (member.isError) return <span className="text-muted">Former member</span>;
  return member.data ? <TextLink href={`/members/${id}`}>{memberName(member.data)}</TextLink> : <>…</>;
}
