import { useId, type ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

/** Attributes that tie a control to its label, hint and errors. */
export interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  errors: readonly string[];
  isLabelHidden?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Label, control, hint and errors in one column. */
export function Field({ label, hint, errors, isLabelHidden, className, children }: FieldProps) {
  const id = useId();
  const isInvalid = errors.length > 0;
  const describedBy = [isInvalid && `${id}-errors`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className={cn("grid content-start gap-1.5", className)}>
      <label htmlFor={id} className={cn("text-[13px] font-medium", isLabelHidden && "sr-only")}>
        {label}
      </label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": isInvalid })}
      {isInvalid && (
        <div id={`${id}-errors`} className="grid gap-0.5 text-[13px] text-danger">
          {errors.map((error) => (
            <p key={error} className="first-letter:uppercase">
              {error}
            </p>
          ))}
        </div>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-[13px] text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
