import { useId, useState, type SyntheticEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

interface InputFilterProps {
  label: string;
  value: string;
  onDecide: (value: string | null) => void;
}

/** Input with an Apply button; Enter also applies. */
function Applied({ onApply, children }: { onApply: () => void; children: ReactNode }) {
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onApply();
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      {children}
      <Button type="submit" size="sm" variant="primary" className="justify-self-end">
        Apply
      </Button>
    </form>
  );
}

export function TextFilter({ label, value, onDecide }: InputFilterProps) {
  const [draft, setDraft] = useState(value);
  return (
    <Applied onApply={() => onDecide(draft.trim() === "" ? null : draft.trim())}>
      <Input
        aria-label={label}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </Applied>
  );
}

export function AmountFilter({ label, value, onDecide }: InputFilterProps) {
  const [draft, setDraft] = useState(value);
  const [isWrong, setWrong] = useState(false);
  const errorId = useId();
  const apply = () => {
    const text = draft.trim().replace(/^\$/, "");
    const isNumber = text === "" || (Number.isFinite(Number(text)) && Number(text) >= 0);
    setWrong(!isNumber);
    if (isNumber) onDecide(text === "" ? null : text);
  };
  return (
    <Applied onApply={apply}>
      <div className="relative">
        <span aria-hidden className="absolute inset-y-0 left-2.5 flex items-center text-muted">
          $
        </span>
        <Input
          aria-label={`${label}, US dollars`}
          aria-invalid={isWrong}
          aria-describedby={isWrong ? errorId : undefined}
          inputMode="decimal"
          className="pl-6 tabular-nums"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          autoComplete="off"
        />
      </div>
      {isWrong && (
        <p id={errorId} role="alert" className="text-[13px] text-danger">
          Enter an amount, e.g. 0.05
        </p>
      )}
    </Applied>
  );
}
