"use client";
import type { UseMutationResult } from "@tanstack/react-query";
import { Fragment, useState, type ReactNode } from "react";
import { FormProvider, useFormState, type FieldValues, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { DialogActions } from "@/components/ui/dialog";
import { toFailure } from "@/lib/browser/api-failure";
import { FailureAlert } from "./failure-alert";
import { showFailure } from "./show-failure";
import { UnsavedGuard } from "./unsaved-guard";

interface MutationFormProps<Values extends FieldValues, Output, Data, Variables> {
  form: UseFormReturn<Values, unknown, Output>;
  mutation: UseMutationResult<Data, Error, Variables>;
  /** Maps the form values to the mutation variables; null skips the mutation. Defaults to the values. */
  toVariables?: (values: Output) => Variables | null;
  onSaved: (data: Data) => void;
  /** Text of the submit button. */
  action: string;
  /** True to disable submitting until a value changes. */
  isEdit?: boolean;
  isDisabled?: boolean;
  /** True to ask before leaving the page with unsaved changes. */
  isGuarded?: boolean;
  /** Closes the form. Unless `inCard`, the form is in a dialog. */
  onCancel?: () => void;
  /** For a form in a card, whose buttons are at the right. */
  inCard?: boolean;
  /** True to offer to discard changes. Defaults to `inCard`. */
  isDiscardable?: boolean;
  /** Shown instead of the usual alert. */
  failureAlert?: ReactNode;
  label?: string;
  labelledBy?: string;
  className?: string;
  children: ReactNode;
}

/** A form that calls a mutation. Shows the server's issues at their fields, or else above the buttons. */
export function MutationForm<Values extends FieldValues, Output, Data, Variables = Output>({
  form,
  mutation,
  toVariables,
  onSaved,
  action,
  isEdit = false,
  isDisabled = false,
  isGuarded = false,
  onCancel,
  inCard = false,
  isDiscardable = inCard,
  failureAlert,
  label,
  labelledBy,
  className,
  children,
}: MutationFormProps<Values, Output, Data, Variables>) {
  const { isDirty } = useFormState({ control: form.control });
  const [discards, setDiscards] = useState(0);
  const submit = form.handleSubmit((values) => {
    const variables = toVariables ? toVariables(values) : (values as Output & Variables);
    if (variables === null) return;
    mutation.mutate(variables, {
      onSuccess: onSaved,
      onError: (error) => showFailure(form, toFailure(error)),
    });
  });
  const discard = () => {
    form.reset(undefined, { keepDirtyValues: false });
    mutation.reset();
    setDiscards(discards + 1);
  };
  const otherButton = onCancel ? (
    <Button onClick={onCancel}>Cancel</Button>
  ) : (
    isDiscardable && isDirty && <Button onClick={discard}>Discard changes</Button>
  );
  const submitButton = (
    <Button type="submit" variant="primary" disabled={isDisabled || mutation.isPending || (isEdit && !isDirty)}>
      {action}
    </Button>
  );
  return (
    <form
      // Keeps values out of the URL if the form is sent before scripts have loaded.
      method="post"
      noValidate
      aria-label={label}
      aria-labelledby={labelledBy}
      onSubmit={(event) => void submit(event)}
      className={cn("grid gap-4", className)}
    >
      <FormProvider {...form}>
        {/* Remounts fields that keep a draft of their text when changes are discarded. */}
        <Fragment key={discards}>{children}</Fragment>
      </FormProvider>
      {failureAlert || (mutation.error && <FailureAlert failure={toFailure(mutation.error)} control={form.control} />)}
      {inCard ? (
        <div className="flex justify-end gap-2">
          {otherButton}
          {submitButton}
        </div>
      ) : onCancel ? (
        <DialogActions>
          {otherButton}
          {submitButton}
        </DialogActions>
      ) : (
        <div className="flex gap-2">
          {submitButton}
          {otherButton}
        </div>
      )}
      {isGuarded && <UnsavedGuard isDirty={isDirty && (isEdit || !mutation.isSuccess)} />}
    </form>
  );
}
