import { Badge } from "@/components/ui/badge";
import type { Member } from "@/lib/records/members/contract";

export const ROLE_LABELS = {
  "org:owner": "Owner",
  "org:admin": "Admin",
  "org:policy_editor": "Policy editor",
  "org:member": "Developer",
  "org:analyst": "Analyst",
  "org:auditor": "Auditor",
  "org:billing": "Billing",
} as const satisfies Record<Member["role"], string>;
export const STATUS_LABELS = {
  active: "Active",
  invited: "Invited",
  deactivated: "Deactivated",
} as const satisfies Record<Member["status"], string>;

export const RoleBadge = ({ role }: Pick<Member, "role">) => (
  <Badge tone={role === "org:admin" ? "accent" : "neutral"}>{ROLE_LABELS[role]}</Badge>
);
const STATUS_TONES = { active: "success", invited: "warning", deactivated: "neutral" } as const;

export const MemberStatus = ({ status }: Pick<Member, "status">) => (
  <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
);
