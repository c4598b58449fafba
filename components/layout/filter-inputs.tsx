import { useId, useState, type SyntheticEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

interface InputFilterProps {
  label: string;
  value: string;
  onDecide: (value: string | null) => void;
}

const HOUR_MS = 3_600_000;
const PRESETS = [
  { label: "Last hour", hours: 1 },
  { label: "Last 24 hours", hours: 24 },
  { label: "Last 7 days", hours: 168 },
  { label: "Last 30 days", hours: 720 },
];
const TO_THE_MINUTE = "yyyy-mm-ddThh:mm".length;
const MINUTE_MS = 60_000;

/** Converts ISO 8601 to the local time format of the browser's input. */
function toLocal(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, TO_THE_MINUTE);
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

export function TimeFilter({ label, value, isEnd, onDecide }: InputFilterProps & { isEnd: boolean }) {
  const [draft, setDraft] = useState(() => toLocal(value));
  return (
    <div className="grid gap-3">
      {!isEnd && (
        <div className="grid grid-cols-2 gap-1.5">
          {PRESETS.map((preset) => (
            <Button
              key={preset.label}
              size="sm"
              onClick={() => onDecide(new Date(Date.now() - preset.hours * HOUR_MS).toISOString())}
            >
              {preset.label}
            </Button>
          ))}
        </div>
      )}
      <Applied onApply={() => onDecide(draft === "" ? null : new Date(draft).toISOString())}>
        <Input
          type="datetime-local"
          aria-label={label}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </Applied>
    </div>
  );
}
