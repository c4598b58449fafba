"use client";
import { useQuery } from "@tanstack/react-query";
import { useWatch, type Control } from "react-hook-form";
import { SelectField } from "@/components/form/select-field";
import { guardrailOptionsQuery } from "@/components/keys/use-key-filters";
import { memberName } from "@/components/members/member-name";
import { memberOptionsQuery } from "@/components/members/member-queries";
import { providerChoicesQuery } from "@/components/providers/provider-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { FILTERS_OF, type AlertFilter, type AlertKind } from "@/lib/features/alerts/vocabulary";
import { keyChoicesQuery } from "./alert-queries";
import type { AlertValues } from "./alert-values";

/** Fields for the scope of a rule: workspace, key, member, guardrail or provider. */
export function ScopeFields({ control, kind }: { control: Control<AlertValues>; kind: AlertKind }) {
  const workspace = useWatch({ control, name: "workspace_id" }) ?? null;
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const keys = useQuery(keyChoicesQuery).data?.data ?? [];
  const members = useQuery(memberOptionsQuery).data?.data ?? [];
  const guardrails = useQuery(guardrailOptionsQuery(workspace)).data?.data ?? [];
  const providers = useQuery(providerChoicesQuery).data?.data ?? [];
  const filters: readonly AlertFilter[] = FILTERS_OF[kind];
  const fields = [
    {
      name: "key_hash",
      label: "Key",
      none: "All keys",
      options: keys.map(({ hash, name }) => ({ value: hash, label: name })),
    },
    {
      name: "user_id",
      label: "Member",
      none: "All members",
      options: members.map((member) => ({ value: member.id, label: memberName(member) })),
    },
    {
      name: "guardrail_id",
      label: "Guardrail",
      none: "All guardrails",
      options: guardrails.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: "provider",
      label: "Provider",
      none: "All providers",
      options: providers.map(({ slug, name }) => ({ value: slug, label: name })),
    },
  ] as const;
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
      {fields
        .filter(({ name }) => filters.includes(name))
        .map(({ name, label, none, options }) => (
          <SelectField key={name} control={control} name={name} label={label} none={none} options={options} />
        ))}
    </fieldset>
  );
}
