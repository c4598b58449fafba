import { useEffect } from "react";
import { useFormState, type UseFormReturn } from "react-hook-form";
import { FailureAlert } from "@/components/form/failure-alert";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import type { ApiFailure } from "@/lib/browser/api-failure";
import { count } from "@/lib/platform/count";
import { changedFields, type GuardrailValues } from "./guardrail-values";
import { useValues } from "./use-values";

/** Maximum length of a revision's message. */
const MOST_CHARACTERS = 500;

interface SaveBarProps {
  form: UseFormReturn<GuardrailValues>;
  formId: string;
  isNew: boolean;
  startValues: GuardrailValues;
  /** Reason for the change, shown in the history. */
  message: { text: string; onChange: (text: string) => void };
  failure: ApiFailure | null;
  onSave: () => void;
}

/** Sticky bar with the number of unsaved changes and the buttons to save or discard them. */
export function SaveBar({ form, formId, isNew, startValues, message, failure, onSave }: SaveBarProps) {
  const amount = changedFields(startValues, useValues(form.control)).length;
  const { isSubmitting } = useFormState({ control: form.control });
  const canSave = !isSubmitting && (isNew || amount > 0);
  useSaveShortcut(() => canSave && onSave());
  return (
    <div
      data-bottom-bar
      className="sticky bottom-0 z-20 -mx-4 mt-6 -mb-6 grid gap-3 border-t bg-background/95 px-4 py-3 backdrop-blur-sm sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8"
    >
      {failure && <FailureAlert failure={failure} control={form.control} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p aria-live="polite" className="mr-auto text-[13px] text-muted">
          {amount > 0 ? `${count(amount, "field")} changed` : ""}
        </p>
        {!isNew && amount > 0 && (
          <Input
            aria-label="Reason for this change (optional)"
            placeholder="Reason (optional, shown in history)"
            className="w-full sm:w-72"
            maxLength={MOST_CHARACTERS}
            value={message.text}
            onChange={({ target }) => message.onChange(target.value)}
          />
        )}
        {isNew ? (
          <LinkButton href="/guardrails">Cancel</LinkButton>
        ) : (
          <Button disabled={amount === 0 || isSubmitting} onClick={() => form.reset(startValues)}>
            Discard
          </Button>
        )}
        <Button type="submit" form={formId} variant="primary" disabled={!canSave} aria-keyshortcuts="Control+S Meta+S">
          {isNew ? "Create guardrail" : "Save changes"}
        </Button>
      </div>
      <UnsavedGuard isDirty={amount > 0 && !isSubmitting} />
    </div>
  );
}

/** Ctrl+S and ⌘S save the guardrail instead of the web page. */
function useSaveShortcut(onSave: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      onSave();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });
}
