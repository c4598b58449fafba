import Link from "next/link";
import { useMay } from "@/components/session/user-context";
import { MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RowMenu } from "@/components/ui/row-menu";
import type { Guardrail } from "@/lib/records/guardrails/contract";

interface GuardrailMenuProps {
  guardrail: Guardrail;
  onDelete: (guardrail: Guardrail) => void;
}

/** Row actions of a guardrail. */
export function GuardrailMenu({ guardrail, onDelete }: GuardrailMenuProps) {
  const canEdit = useMay("guardrails:write");
  const { id, name, workspace_id } = guardrail;
  return (
    <RowMenu name={name}>
      <MenuItem asChild>
        <Link href={`/guardrails/${id}`}>{canEdit ? "Edit" : "View"}</Link>
      </MenuItem>
      {canEdit && (
        <MenuItem asChild>
          <Link href={duplicateHref({ id, workspace_id })}>Duplicate</Link>
        </MenuItem>
      )}
      <MenuItem asChild>
        <Link href={`/guardrails/${id}/history`}>History</Link>
      </MenuItem>
      {canEdit && (
        <>
          <MenuSeparator />
          <MenuItem isDestructive onSelect={() => onDelete(guardrail)}>
            Delete…
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}

/** URL of the new-guardrail form, prefilled with a copy. */
export const duplicateHref = ({ id, workspace_id }: Pick<Guardrail, "id" | "workspace_id">) =>
  `/guardrails/new?${new URLSearchParams({ from: id, workspace: workspace_id })}`;
