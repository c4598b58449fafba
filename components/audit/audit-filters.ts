import { memberName } from "@/components/members/member-name";
import type { FilterDefinition } from "@/components/layout/filter-bar";
import type { Member } from "@/lib/records/members/contract";
import { actionLabel, AUDIT_ACTIONS } from "./audit-sentence";
import type { AuditFilters } from "./audit-queries";

const TARGET_TYPES = [...new Set(AUDIT_ACTIONS.map((action) => action.split(".")[0] ?? ""))].filter(
  (type) => type !== "session" && type !== "invitation",
);

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

/** Filters of the audit log. Actors and resources that aren't members are named as the shown events name them. */
export function auditFilters(
  members: readonly Member[],
  { actor_id }: Pick<AuditFilters, "actor_id">,
  names: ReadonlyMap<string, string>,
): FilterDefinition[] {
  const actors = members.map((member) => ({ value: member.id, label: memberName(member) }));
  const isOther = actor_id !== null && !actors.some(({ value }) => value === actor_id);
  return [
    {
      key: "actor_id",
      label: "Actor",
      kind: "options",
      options: isOther ? [...actors, { value: actor_id, label: names.get(actor_id) ?? actor_id }] : actors,
    },
    {
      key: "action",
      label: "Action",
      kind: "options",
      options: AUDIT_ACTIONS.map((value) => ({ value, label: actionLabel(value) })),
    },
    {
      key: "target_type",
      label: "Resource type",
      kind: "options",
      options: TARGET_TYPES.map((value) => ({ value, label: capital(value) })),
    },
    { key: "target_id", label: "Resource", kind: "text", nameOf: (id) => names.get(id) },
  ];
}
