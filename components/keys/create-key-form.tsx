"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useFormState, useWatch, type Control } from "react-hook-form";
import type { z } from "zod";
import { AmountField } from "@/components/form/amount-field";
import { DateTimeField } from "@/components/form/date-time-field";
import { FoldedFields } from "@/components/form/folded-fields";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { SwitchField } from "@/components/form/switch-field";
import { TagsField } from "@/components/form/tags-field";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { TextField } from "@/components/form/text-field";
import { useHomeWorkspace } from "@/components/session/use-home-workspace";
import { sessionQuery } from "@/components/session/session-queries";
import { CreateKeyBody, type Key } from "@/lib/records/keys/contract";
import { KEY_KINDS } from "@/lib/records/keys/vocabulary";
import { useCreateKey } from "./key-queries";
import { capsText, withinCaps } from "./key-caps-text";
import { KeyRoleFields } from "./key-role-fields";
import { KeyScopeFields, OwnerField, type KeyValues } from "./key-scope-fields";
import { useOwnKeyCaps } from "./use-own-key-caps";

const checkBody = formResolver(CreateKeyBody);

const KIND_LABELS = {
  inference: "Inference (calls models)",
  management: "Management (manages the organization)",
} as const satisfies Record<(typeof KEY_KINDS)[number], string>;
const KIND_OPTIONS = KEY_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

const NEW_KEY: KeyValues = {
  name: "",
  kind: "inference",
  creator_user_id: null,
  guardrail_id: null,
  limit: null,
  limit_reset: null,
  include_byok_in_limit: false,
  expires_at: null,
  tags: [],
};

interface CreateKeyFormProps {
  workspace: string | null;
  onCreated: (text: string, key: Pick<Key, "name" | "kind">) => void;
  onCancel: () => void;
}

export function CreateKeyForm({ workspace, onCreated, onCancel }: CreateKeyFormProps) {
  const creation = useCreateKey();
  const session = useQuery(sessionQuery).data;
  const caps = useOwnKeyCaps();
  const home = useHomeWorkspace("keys:write");
  const [now] = useState(() => Date.now());
  const form = useForm<KeyValues, unknown, z.output<typeof CreateKeyBody>>({
    resolver: checkBody,
    defaultValues: caps
      ? withinCaps(caps, now)
      : { ...NEW_KEY, workspace_id: workspace ?? home ?? session?.workspace_id },
    shouldUnregister: caps === null,
  });
  const { control } = form;
  useFreshErrors(form);
  const [kind, limit] = useWatch({ control, name: ["kind", "limit"] });
  return (
    <MutationForm
      form={form}
      mutation={creation}
      onSaved={({ key, data }) => onCreated(key, data)}
      action="Create key"
      onCancel={onCancel}
    >
      <TextField
        control={control}
        name="name"
        label="Name"
        hint="The application or person using this key"
        input={{ autoComplete: "off", placeholder: "Support bot" }}
      />
      {caps === null && kind !== "management" && <KeyScopeFields control={control} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <AmountField control={control} name="limit" label="Limit (USD)" hint={capsText(caps).limit} />
        <SelectField control={control} name="limit_reset" label="Resets" none="Never" options={INTERVAL_OPTIONS} />
      </div>
      {caps === null && limit !== null && (
        <SwitchField
          control={control}
          name="include_byok_in_limit"
          label="Include spend on your own provider keys (BYOK)"
        />
      )}
      <DateTimeField control={control} name="expires_at" label="Expires" hint={capsText(caps).expires} />
      {caps === null && <RareFields control={control} />}
    </MutationForm>
  );
}

/** Kind, owner and tags. */
function RareFields({ control }: { control: Control<KeyValues> }) {
  const [kind, owner, tags = []] = useWatch({ control, name: ["kind", "creator_user_id", "tags"] });
  const { errors } = useFormState({ control, name: ["kind", "creator_user_id", "tags"] });
  const summary = [
    kind === "management" ? "Management key" : "Inference key",
    owner ? "owned by another member" : "owned by you",
    tags.length === 0 ? "no tags" : tags.join(", "),
  ];
  return (
    <FoldedFields
      title="Kind, owner and tags"
      summary={summary.join(", ")}
      hasError={Boolean(errors.kind ?? errors.creator_user_id ?? errors.tags)}
    >
      <SelectField control={control} name="kind" label="Kind" options={KIND_OPTIONS} />
      {kind === "management" && <KeyRoleFields control={control} />}
      <OwnerField control={control} />
      <TagsField control={control} name="tags" />
    </FoldedFields>
  );
}
