import { Badge } from "@/components/ui/badge";
import type { Member } from "@/lib/records/members/contract";

export const ROLE_LABELS = { "org:admin": "Admin", "org:member": "Member" } as const satisfies Record<
  Member["role"],
  string
>;
export const STATUS_LABELS = { active: "Active", invited: "Invited" } as const satisfies Record<
  Member["status"],
  string
>;

export const RoleBadge = ({ role }: Pick<Member, "role">) => (
  <Badge tone={role === "org:admin" ? "accent" : "neutral"}>{ROLE_LABELS[role]}</Badge>
);
export const MemberStatus = ({ status }: Pick<Member, "status">) => (
  <Badge tone={status === "active" ? "success" : "warning"}>{STATUS_LABELS[status]}</Badge>
);
