"use client";
import { useQuery } from "@tanstack/react-query";
import { useForm, type Control } from "react-hook-form";
import type { z } from "zod";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { NumberField } from "@/components/form/number-field";
import { PickerField } from "@/components/form/picker-field";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TextField } from "@/components/form/text-field";
import { useEditForm } from "@/components/form/use-edit-form";
import { toast } from "@/components/ui/toast";
import { CreateWorkspaceBody, UpdateWorkspaceBody, type Workspace } from "@/lib/records/workspaces/contract";
import { REGIONS } from "@/lib/records/workspaces/vocabulary";
import { useCreateWorkspace, useUpdateWorkspace, workspaceGuardrailsQuery } from "./settings-queries";

const checkCreation = formResolver<Values, CreateWorkspaceBody>(CreateWorkspaceBody);
const checkChange = formResolver(UpdateWorkspaceBody);

const REGION_NAMES = new Intl.DisplayNames("en", { type: "region" });
const REGION_OPTIONS = REGIONS.map((code) => ({ value: code, label: REGION_NAMES.of(code) ?? code }));

type Values = z.input<typeof UpdateWorkspaceBody>;

const EMPTY = {
  name: "",
  description: null,
  content_logging: false,
  content_retention_days: null,
  metadata_retention_days: null,
  regions: [],
  allow_unpriced_models: false,
};

function toValues({
  name,
  slug,
  description,
  default_guardrail_id,
  content_logging,
  content_retention_days,
  metadata_retention_days,
  regions,
  allow_unpriced_models,
}: Workspace): Values {
  return {
    name,
    slug,
    description,
    default_guardrail_id,
    content_logging,
    content_retention_days,
    metadata_retention_days,
    regions,
    allow_unpriced_models,
  };
}

interface WorkspaceFormProps {
  /** Null for a new workspace. */
  workspace: Workspace | null;
  onDone: () => void;
}

export const WorkspaceForm = ({ workspace, onDone }: WorkspaceFormProps) =>
  workspace ? <EditWorkspace workspace={workspace} /> : <NewWorkspace onDone={onDone} />;

function NewWorkspace({ onDone }: { onDone: () => void }) {
  const creation = useCreateWorkspace();
  const form = useForm<Values, unknown, CreateWorkspaceBody>({ resolver: checkCreation, defaultValues: EMPTY });
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ data }) => {
        toast.success(`“${data.name}” created`);
        onDone();
      }}
      action="Create workspace"
      label="Workspace"
    >
      <Fields control={form.control} workspace={null} />
    </MutationForm>
  );
}

function EditWorkspace({ workspace }: { workspace: Workspace }) {
  const update = useUpdateWorkspace();
  const edit = useEditForm({
    resolver: checkChange,
    stored: workspace,
    valuesOf: toValues,
    onSaved: ({ name }) => toast.success(`“${name}” saved`),
  });
  return (
    <MutationForm
      {...edit}
      mutation={update}
      toVariables={(body) => ({ id: workspace.id, body: edit.toVariables(body) })}
      action="Save changes"
      label="Workspace"
    >
      <Fields control={edit.form.control} workspace={workspace} />
    </MutationForm>
  );
}

function Fields({ control, workspace }: { control: Control<Values>; workspace: Workspace | null }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="name" label="Name" input={{ autoComplete: "off", autoFocus: !workspace }} />
        <TextField
          control={control}
          name="slug"
          label="Slug"
          hint={workspace ? undefined : "Leave blank to derive from the name."}
          isOptional={!workspace}
          input={{ autoComplete: "off" }}
        />
      </div>
      <TextField control={control} name="description" label="Description" rows={2} isNullable />
      {workspace && <DefaultGuardrail control={control} workspaceId={workspace.id} />}
      <SwitchField
        control={control}
        name="content_logging"
        label="Store prompts and completions"
        hint="Applies to new generations, after redaction."
      />
      <SwitchField
        control={control}
        name="allow_unpriced_models"
        label="Allow models without a known price under spending limits"
        hint="Their requests count as $0 in budgets. While off, spending limits reject them."
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          control={control}
          name="content_retention_days"
          label="Delete content after (days)"
          hint="Leave blank to keep forever."
        />
        <NumberField
          control={control}
          name="metadata_retention_days"
          label="Delete generations after (days)"
          hint="Leave blank to keep forever. Spend still counts towards budgets."
        />
      </div>
      <PickerField
        control={control}
        name="regions"
        label="Phone number regions"
        hint="The phone filter also finds national numbers of these countries, such as 030 1234567 for Germany."
        options={REGION_OPTIONS}
        empty={[]}
      />
    </>
  );
}

function DefaultGuardrail({ control, workspaceId }: { control: Control<Values>; workspaceId: string }) {
  const { data } = useQuery(workspaceGuardrailsQuery(workspaceId));
  return (
    <SelectField
      control={control}
      name="default_guardrail_id"
      label="Default guardrail"
      hint="Applies to every key in this workspace, in addition to guardrails of the key and its owner."
      none="None"
      options={(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
