"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useWatch, type Control } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { PickerField } from "@/components/form/picker-field";
import { SelectField } from "@/components/form/select-field";
import { Field } from "@/components/form/field";
import type { FilterOption } from "@/components/layout/filter-definition";
import { foundBy, RECORD_SOURCES } from "@/components/layout/record-sources";
import { useField } from "@/components/form/use-field";
import { useMay } from "@/components/session/user-context";
import { findTags } from "@/components/tags/find-tags";
import { Select } from "@/components/ui/select";
import { useDebounced } from "@/components/ui/use-debounced";
import { workspacesQuery } from "@/components/workspaces/workspace-queries";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { updateLimit } from "@/lib/browser/operations/limits";
import { listModels } from "@/lib/browser/operations/models";
import { listWorkspaces } from "@/lib/browser/operations/workspaces";
import type { LimitSubject } from "@/lib/engine/budgets/vocabulary";
import { SUBJECT_LABELS } from "./limit-text";
import type { LimitValues } from "./limit-values";

const plain = (values: readonly string[]): FilterOption[] => values.map((value) => ({ value, label: value }));

/** Searches the subjects of a kind; nothing for end users, which are any text. */
const FIND: Readonly<Record<LimitSubject, (q: string) => Promise<FilterOption[]>>> = {
  organization: async () => [],
  workspace: (q) =>
    call(listWorkspaces, { query: { limit: 100 } }).then(({ data }) =>
      data
        .filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
        .map(({ id, name }) => ({ value: id, label: name })),
    ),
  tag: findTags,
  member: (q) => RECORD_SOURCES.user_id.find(q),
  key: (q) => RECORD_SOURCES.key_hash.find(q),
  keys: (q) => RECORD_SOURCES.key_hash.find(q),
  end_user: async () => [],
  model: (q) => call(listModels, { query: foundBy(q) }).then(({ data }) => plain(data.map(({ slug }) => slug))),
  provider: (q) => RECORD_SOURCES.provider.find(q),
};

const SUBJECT_OPTIONS = (Object.keys(SUBJECT_LABELS) as LimitSubject[]).map((value) => ({
  value,
  label: SUBJECT_LABELS[value],
}));

const MODE_OPTIONS = [
  { value: "each", label: "Each one separately" },
  { value: "named", label: "Only the chosen ones" },
] as const;

interface SubjectFieldsProps {
  control: Control<LimitValues>;
  /** Kinds can't be changed later. */
  isNew: boolean;
  /** Names of the stored subjects, and of those found so far. */
  known: readonly FilterOption[];
  onFound: (options: readonly FilterOption[]) => void;
}

/** Fields for whose requests a limit counts. */
export function SubjectFields({ control, isNew, known, onFound }: SubjectFieldsProps) {
  const { field: type } = useField({ control, name: "subject_type" });
  const { field: ids } = useField({ control, name: "subject_ids" });
  const { field: workspace } = useField({ control, name: "workspace_id" });
  const subject = type.value;
  const change = (next: LimitSubject) => {
    type.onChange(next);
    ids.onChange(next === "keys" ? [] : null);
    if (next === "organization" || next === "workspace") workspace.onChange(null);
  };
  const isNamed = ids.value !== null;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {isNew && (
          <Field label="Applies to" errors={[]}>
            {(wiring) => <Select {...wiring} value={subject} onValueChange={change} options={SUBJECT_OPTIONS} />}
          </Field>
        )}
        {subject !== "organization" && subject !== "keys" && (
          <Field label={SUBJECT_LABELS[subject]} errors={[]}>
            {(wiring) => (
              <Select
                {...wiring}
                value={isNamed ? "named" : "each"}
                onValueChange={(mode) => ids.onChange(mode === "each" ? null : [])}
                options={MODE_OPTIONS}
              />
            )}
          </Field>
        )}
      </div>
      {isNamed && subject !== "organization" && (
        <SubjectPicker key={subject} control={control} subject={subject} known={known} onFound={onFound} />
      )}
      {isNew && subject !== "organization" && subject !== "workspace" && <WorkspaceField control={control} />}
    </>
  );
}

interface SubjectPickerProps extends Pick<SubjectFieldsProps, "control" | "known" | "onFound"> {
  subject: LimitSubject;
}

const HINTS: Partial<Record<LimitSubject, string>> = {
  end_user: "As in user or safety_identifier of requests, or the header x-signalbox-end-user.",
  tag: "Of the key or its member, such as team:search.",
  keys: "They share the amount.",
};

function SubjectPicker({ control, subject, known, onFound }: SubjectPickerProps) {
  const [text, setText] = useState("");
  const q = useDebounced(text);
  // Readers see the field, too, but may not be allowed to search.
  const canChange = useMay(updateLimit);
  const found = useQuery({
    queryKey: ["limit-subjects", subject, q],
    queryFn: () => FIND[subject](q),
    enabled: canChange,
  });
  const { data } = found;
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    if (data) tell(data);
  }, [data]);
  const chosen = useWatch({ control, name: "subject_ids" }) ?? [];
  const isChosen = new Set(chosen);
  const options = [
    ...new Map(
      [...plain(chosen), ...known.filter(({ value }) => isChosen.has(value)), ...(data ?? [])].map((option) => [
        option.value,
        option,
      ]),
    ).values(),
  ];
  return (
    <>
      <PickerField
        control={control}
        name="subject_ids"
        label={`Chosen ${SUBJECT_LABELS[subject].toLowerCase()}`}
        hint={HINTS[subject]}
        options={subject === "end_user" ? [] : options}
        allowsAny={subject === "end_user" || subject === "tag"}
        onSearch={setText}
        empty={[]}
        placeholder={subject === "end_user" ? "Type a name and press Enter" : undefined}
      />
      {found.error && <FailureAlert failure={toFailure(found.error)} />}
    </>
  );
}

function WorkspaceField({ control }: { control: Control<LimitValues> }) {
  const workspaces = useQuery(workspacesQuery).data?.data ?? [];
  if (workspaces.length < 2) return null;
  return (
    <SelectField
      control={control}
      name="workspace_id"
      label="Workspace"
      none="All workspaces"
      hint="Counts only requests of this workspace."
      options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
