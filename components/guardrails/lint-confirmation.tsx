"use client";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import type { LintFinding } from "@/lib/features/lint/contract";
import type { GuardrailField } from "./guardrail-values";
import { placeOf } from "./lint-text";

interface LintConfirmationProps {
  errors: readonly LintFinding[];
  saveAnyway: () => Promise<void>;
  close: () => void;
  /** Applies the fix to the draft and saves it. */
  onFix: (path: GuardrailField, value: unknown) => void;
}

/** Confirms saving a draft with lint errors, which may block legitimate requests. */
export function LintConfirmation({ errors, saveAnyway, close, onFix }: LintConfirmationProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && close()}
      title={errors.length === 1 ? "Save with this error?" : `Save with these ${errors.length} errors?`}
      description="This may block requests you want to allow."
    >
      <ul aria-label="Errors" className="grid gap-2 text-sm">
        {errors.map(({ path, message, fix }) => (
          <li
            key={`${path.join(".")} ${message}`}
            className="flex items-start justify-between gap-3 rounded-md border border-danger/30 bg-danger-subtle px-3 py-2"
          >
            <p className="min-w-0 wrap-anywhere">
              <span className="font-medium">{placeOf(path).label}</span>: {message}
            </p>
            {fix && (
              <Button size="sm" aria-label={`Fix and save: ${message}`} onClick={() => onFix(fix.path, fix.value)}>
                Fix and save
              </Button>
            )}
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="danger" onClick={() => void saveAnyway()}>
          Save anyway
        </Button>
        <Button variant="primary" onClick={close}>
          Keep editing
        </Button>
      </DialogActions>
    </Dialog>
  );
}
