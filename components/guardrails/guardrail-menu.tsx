import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import type { Guardrail } from "@/lib/records/guardrails/contract";

interface GuardrailMenuProps {
  guardrail: Guardrail;
  onDelete: (guardrail: Guardrail) => void;
}

/** Row actions of a guardrail. */
export function GuardrailMenu({ guardrail, onDelete }: GuardrailMenuProps) {
  const { id, name, workspace_id } = guardrail;
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon-sm" className="relative z-10 text-muted" aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem asChild>
        <Link href={`/guardrails/${id}`}>Edit</Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={duplicateHref({ id, workspace_id })}>Duplicate</Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={`/guardrails/${id}/history`}>History</Link>
      </MenuItem>
      <MenuSeparator />
      <MenuItem isDestructive onSelect={() => onDelete(guardrail)}>
        Delete…
      </MenuItem>
    </Menu>
  );
}

/** URL of the new-guardrail form, prefilled with a copy. */
export const duplicateHref = ({ id, workspace_id }: Pick<Guardrail, "id" | "workspace_id">) =>
  `/guardrails/new?${new URLSearchParams({ from: id, workspace: workspace_id })}`;
