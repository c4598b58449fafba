import { useQuery } from "@tanstack/react-query";
import { useWatch, type Control } from "react-hook-form";
import type { z } from "zod";
import { RecordField } from "@/components/layout/record-field";
import { SelectField } from "@/components/form/select-field";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { sessionQuery } from "@/components/session/session-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import type { CreateKeyBody } from "@/lib/records/keys/contract";

export type KeyValues = z.input<typeof CreateKeyBody>;

/** Workspace and initial guardrail of an inference key. */
export function KeyScopeFields({ control }: { control: Control<KeyValues> }) {
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const workspace = useWatch({ control, name: "workspace_id" }) ?? null;
  const chosen = workspaces.find(({ id, is_default }) => (workspace === null ? is_default : id === workspace));
  return (
    <>
      {workspaces.length > 1 && (
        <SelectField
          control={control}
          name="workspace_id"
          label="Workspace"
          options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <RecordField
        key={workspace}
        control={control}
        name="guardrail_id"
        label="Guardrail"
        hint="Enforced from the first request."
        none={chosen?.default_guardrail_id ? "Workspace default only" : "None"}
        source={RECORD_SOURCES.guardrail_id}
        workspace={chosen?.id ?? workspace}
      />
    </>
  );
}

/** The owner, whose guardrail also applies to the key. */
export function OwnerField({ control }: { control: Control<KeyValues> }) {
  const self = useQuery(sessionQuery).data?.user.id;
  return (
    <RecordField
      control={control}
      name="creator_user_id"
      label="Owner"
      hint="The owner's guardrail also applies to this key."
      none="You"
      source={{
        ...RECORD_SOURCES.user_id,
        find: async (q) => (await RECORD_SOURCES.user_id.find(q)).filter(({ value }) => value !== self),
      }}
    />
  );
}
