import { Badge } from "@/components/ui/badge";
import type { Member } from "@/lib/records/members/contract";

export const STATUS_LABELS = {
  active: "Active",
  invited: "Invited",
  deactivated: "Deactivated",
} as const satisfies Record<Member["status"], string>;

export const RoleBadge = ({ role, role_name }: Pick<Member, "role" | "role_name">) => (
  <Badge tone={role === "org:owner" || role === "org:admin" ? "accent" : "neutral"}>{role_name}</Badge>
);
const STATUS_TONES = { active: "success", invited: "warning", deactivated: "neutral" } as const;

export const MemberStatus = ({ status }: Pick<Member, "status">) => (
  <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
);
