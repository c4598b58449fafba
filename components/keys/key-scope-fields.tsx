import { useQuery } from "@tanstack/react-query";
import { useWatch, type Control } from "react-hook-form";
import type { z } from "zod";
import { SelectField } from "@/components/form/select-field";
import { memberName } from "@/components/members/member-name";
import { memberOptionsQuery } from "@/components/members/member-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import type { CreateKeyBody } from "@/lib/records/keys/contract";
import { guardrailOptionsQuery } from "./use-key-filters";

export type KeyValues = z.input<typeof CreateKeyBody>;

/** Workspace and initial guardrail of an inference key. */
export function KeyScopeFields({ control }: { control: Control<KeyValues> }) {
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  const workspace = useWatch({ control, name: "workspace_id" }) ?? null;
  const guardrails = useQuery(guardrailOptionsQuery(workspace)).data?.data ?? [];
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
      <SelectField
        key={workspace}
        control={control}
        name="guardrail_id"
        label="Guardrail"
        hint="Enforced from the first request."
        none="None"
        options={guardrails.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </>
  );
}

/** The owner, whose guardrail also applies to the key. */
export function OwnerField({ control }: { control: Control<KeyValues> }) {
  const session = useQuery(sessionQuery).data;
  const members = useQuery(memberOptionsQuery).data?.data ?? [];
  const others = members.filter(({ id }) => id !== session?.user.id);
  return (
    <SelectField
      control={control}
      name="creator_user_id"
      label="Owner"
      hint="The owner's guardrail also applies to this key."
      none="You"
      options={others.map((member) => ({ value: member.id, label: memberName(member) }))}
    />
  );
}
