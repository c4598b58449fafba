import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useForm } from "react-hook-form";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { showFailure } from "@/components/form/show-failure";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import type { Guardrail } from "@/lib/records/guardrails/contract";
import { GuardrailFields } from "@/lib/engine/policy/contract";
import type { LintFinding } from "@/lib/features/lint/contract";
import { formResolver } from "@/components/form/form-resolver";
import { guardrailQuery, useCreateGuardrail, useUpdateGuardrail } from "./guardrail-queries";
import { errorsOf, findingsOf, warningsOf } from "./lint-queries";
import { changedFields, changes, EMPTY_VALUES, toValues, type GuardrailValues } from "./guardrail-values";

export type EditorStart =
  | { guardrail: Guardrail }
  | { guardrail: null; values: GuardrailValues; workspace: string | null };

interface SaveOptions {
  /** The revision to change; null for a new guardrail. */
  onto: Guardrail | null;
  /** True to save in spite of lint errors. */
  isSure: boolean;
}

/** Editor state: a form based on one revision, saving, and conflicts with a newer revision. */
export function useGuardrailEditor(
  start: EditorStart,
  onSaved: (saved: Guardrail, warnings: readonly LintFinding[]) => void,
) {
  const queryClient = useQueryClient();
  const creation = useCreateGuardrail();
  const change = useUpdateGuardrail();
  const [base, setBase] = useState(start.guardrail);
  const [newer, setNewer] = useState<Guardrail | null>(null);
  const [errors, setErrors] = useState<readonly LintFinding[]>([]);
  const [message, setMessage] = useState("");
  const startValues = base ? toValues(base) : start.guardrail === null ? start.values : EMPTY_VALUES;
  const form = useForm<GuardrailValues>({ resolver: guardrailResolver, defaultValues: startValues });
  useFreshErrors(form);

  const startFrom = (record: Guardrail) => {
    setBase(record);
    setNewer(null);
    setMessage("");
    change.reset();
    form.reset(toValues(record));
  };

  const workspace = start.guardrail === null && start.workspace ? { workspace_id: start.workspace } : {};
  const store = async (values: GuardrailValues, onto: Guardrail | null) => {
    const because = message.trim() === "" ? {} : { revision_message: message.trim() };
    if (onto) return change.mutateAsync({ base: onto, body: { ...changes(toValues(onto), values), ...because } });
    return creation.mutateAsync({ ...changes(EMPTY_VALUES, values), name: values.name, ...workspace });
  };

  /** Stops at lint errors unless the user confirms. Warnings appear in the toast after saving. */
  const saving = useApiMutation({
    mutationFn: async ({ values, onto, isSure }: SaveOptions & { values: GuardrailValues }) => {
      const findings = await findingsOf(values, onto ? { id: onto.id } : workspace);
      setErrors(isSure ? [] : errorsOf(findings));
      if (!isSure && errorsOf(findings).length > 0) return;
      try {
        const { data } = await store(values, onto);
        startFrom(data);
        onSaved(data, warningsOf(findings));
      } catch (error) {
        const failure = toFailure(error);
        if (failure.status === PRECONDITION_FAILED && onto) {
          const { data } = await queryClient.query({ ...guardrailQuery(onto.id), staleTime: 0 });
          setNewer(data);
        } else showFailure(form, failure);
      }
    },
  });
  const save = (options?: Partial<SaveOptions>) =>
    form.handleSubmit((values) => saving.mutateAsync({ values, onto: base, isSure: false, ...options }))();

  /** Rebases the form on the newer revision with the merged values, and saves unless they equal theirs. */
  const merge = async (values: GuardrailValues) => {
    if (!newer) return;
    startFrom(newer);
    if (changedFields(toValues(newer), values).length === 0) return;
    form.reset(values, { keepDefaultValues: true });
    await save({ onto: newer, isSure: true });
  };

  const revision = start.guardrail?.revision ?? 0;
  const followUntouched = useEffectEvent(() => {
    const isUntouched = base && changedFields(toValues(base), form.getValues()).length === 0;
    if (start.guardrail && isUntouched && revision > base.revision) startFrom(start.guardrail);
  });
  useEffect(() => {
    const timer = setTimeout(() => followUntouched());
    return () => clearTimeout(timer);
  }, [revision]);

  const error = creation.error ?? change.error;
  return {
    form,
    startValues,
    save: () => save(),
    message: { text: message, onChange: setMessage },
    lintErrors:
      errors.length > 0 ? { errors, saveAnyway: () => save({ isSure: true }), close: () => setErrors([]) } : null,
    failure: error && !newer ? toFailure(error) : null,
    conflict: base && newer ? { base, newer, yours: form.getValues(), merge, close: () => setNewer(null) } : null,
  };
}

/** The server's own pattern check; the regex engine is loaded on demand. Without it, only the server validates. */
const patternCheck = () =>
  import("@/lib/records/guardrails/rules").then(({ patternIssues }) => patternIssues).catch(() => () => []);

/** Editor values, validated with the server's own rules. */
const guardrailResolver = formResolver(
  GuardrailFields.superRefine(
    async ({ content_filters }, context) => {
      if (!content_filters?.length) return;
      const patternIssues = await patternCheck();
      for (const { path, message } of patternIssues(content_filters))
        context.addIssue({ code: "custom", path: [...path], message });
    },
    { when: () => true },
  ),
);
