"use client";
import { useQuery } from "@tanstack/react-query";
import { useWatch, type Control } from "react-hook-form";
import { RecordField } from "@/components/layout/record-field";
import { SelectField } from "@/components/form/select-field";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { FILTERS_OF, type AlertFilter, type AlertKind } from "@/lib/features/alerts/vocabulary";
import type { AlertValues } from "./alert-values";

const FIELDS = [
  { name: "key_hash", label: "Key", none: "All keys" },
  { name: "user_id", label: "Member", none: "All members" },
  { name: "guardrail_id", label: "Guardrail", none: "All guardrails" },
  { name: "provider", label: "Provider", none: "All providers" },
] as const;

/** Fields for the scope of a rule: workspace, key, member, guardrail or provider. */
export function ScopeFields({ control, kind }: { control: Control<AlertValues>; kind: AlertKind }) {
  const workspace = useWatch({ control, name: "workspace_id" }) ?? null;
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const filters: readonly AlertFilter[] = FILTERS_OF[kind];
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="sr-only">Scope</legend>
      {workspaces.length > 1 && (
        <SelectField
          control={control}
          name="workspace_id"
          label="Workspace"
          none="All workspaces"
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {FIELDS.filter(({ name }) => filters.includes(name)).map((field) => (
        <RecordField
          key={field.name}
          control={control}
          source={RECORD_SOURCES[field.name]}
          workspace={field.name === "guardrail_id" ? workspace : null}
          {...field}
        />
      ))}
    </fieldset>
  );
}
