import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { toFailure } from "@/lib/browser/api-failure";
import type { Guardrail } from "@/lib/guardrails/contract";
import { guardrailQuery, useCreateGuardrail, useUpdateGuardrail } from "./guardrail-queries";
import { changedFields, EMPTY_VALUES, GuardrailForm, toValues, type GuardrailValues } from "./guardrail-values";

const PRECONDITION_FAILED = 412;

/** The editor's state: a form based on one revision, its saving, and the revision that got in between. */
export function useGuardrailEditor(guardrail: Guardrail | null, onSaved: (saved: Guardrail) => void) {
  const queryClient = useQueryClient();
  const creation = useCreateGuardrail();
  const change = useUpdateGuardrail();
  const [base, setBase] = useState(guardrail);
  const [newer, setNewer] = useState<Guardrail | null>(null);
  const form = useForm<GuardrailValues>({
    resolver: formResolver(GuardrailForm),
    defaultValues: base ? toValues(base) : EMPTY_VALUES,
  });

  const startFrom = (record: Guardrail) => {
    setBase(record);
    setNewer(null);
    change.reset();
    form.reset(toValues(record));
  };

  const save = form.handleSubmit(async (values) => {
    try {
      const changed = changedFields(base ? toValues(base) : EMPTY_VALUES, values);
      const { data } = base
        ? await change.mutateAsync({ base, body: changed })
        : await creation.mutateAsync({ ...changed, name: values.name });
      startFrom(data);
      onSaved(data);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.status === PRECONDITION_FAILED && base) {
        setNewer(await queryClient.query({ ...guardrailQuery(base.id), staleTime: 0 }));
      } else showFailure(form, failure);
    }
  });

  /** Puts what was typed on top of the newer revision. */
  const keepMine = () => {
    if (!base || !newer) return;
    const mine = changedFields(toValues(base), form.getValues());
    startFrom(newer);
    form.reset({ ...toValues(newer), ...mine }, { keepDefaultValues: true });
  };

  const error = creation.error ?? change.error;
  return {
    form,
    save,
    failure: error && !newer ? toFailure(error) : null,
    conflict:
      base && newer
        ? {
            newer,
            theirs: changedFields(toValues(base), toValues(newer)),
            mine: changedFields(toValues(base), form.getValues()),
            keepMine,
            takeTheirs: () => startFrom(newer),
            close: () => setNewer(null),
          }
        : null,
  };
}
