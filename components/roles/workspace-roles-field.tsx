"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useRef } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import type { WorkspaceRole } from "@/lib/records/roles/contract";
import { useRoleOptions } from "./role-queries";

const USUAL_ROLE = "org:policy_editor";

interface WorkspaceRolesFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

/** Roles in single workspaces: rows of a workspace and a role. */
export function WorkspaceRolesField<Values extends FieldValues>({ control, name }: WorkspaceRolesFieldProps<Values>) {
  const { field, fieldState } = useField({ control, name });
  const canSeeWorkspaces = useMay("workspaces:read");
  const workspaces = useQuery({ ...workspacesQuery, enabled: canSeeWorkspaces }).data?.data ?? [];
  const roles = useRoleOptions("workspace");
  const addButton = useRef<HTMLButtonElement>(null);
  const given: readonly WorkspaceRole[] | undefined = field.value;
  const rows = given ?? [];
  const taken = new Set(rows.map(({ workspace_id }) => workspace_id));
  const free = workspaces.find(({ id }) => !taken.has(id));
  const givable = roles.filter(({ isDisabled }) => !isDisabled).map(({ value }) => value);
  const first = givable.includes(USUAL_ROLE) ? USUAL_ROLE : givable[0];
  const set = (index: number, change: Partial<WorkspaceRole>) =>
    field.onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const remove = (index: number) => {
    field.onChange(rows.filter((_, at) => at !== index));
    addButton.current?.focus();
  };
  const optionsFor = (id: string) =>
    workspaces
      .filter((workspace) => workspace.id === id || !taken.has(workspace.id))
      .map((workspace) => ({ value: workspace.id, label: workspace.name }));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">Workspace roles</legend>
      {rows.map((row, index) => (
        <div
          key={index}
          role="group"
          aria-label={`Workspace role ${index + 1}`}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-2"
        >
          <Select
            aria-label="Workspace"
            value={row.workspace_id}
            onValueChange={(workspace_id: string) => set(index, { workspace_id })}
            options={optionsFor(row.workspace_id)}
          />
          <Select
            aria-label="Role"
            value={row.role}
            onValueChange={(role: string) => set(index, { role })}
            options={roles}
          />
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Remove workspace role ${index + 1}`}
            onClick={() => remove(index)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {fieldErrors(fieldState.error).map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
      <div>
        <Button
          ref={addButton}
          size="sm"
          disabled={!free || !first}
          onClick={() => free && first && field.onChange([...rows, { workspace_id: free.id, role: first }])}
        >
          <Plus aria-hidden /> Add workspace role
        </Button>
      </div>
      <p className="text-[13px] text-muted">
        In addition to the role for the organization. Only permissions for guardrails, presets, keys, budgets, the log
        and the workspace itself count.
      </p>
    </fieldset>
  );
}
