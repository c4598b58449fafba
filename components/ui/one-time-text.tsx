import { useId } from "react";

interface OneTimeTextProps {
  label: string;
  text: string;
  rows?: number;
}

/** A key, secret or link that is shown once, to copy. */
export function OneTimeText({ label, text, rows = 2 }: OneTimeTextProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-medium">
        {label}
      </label>
      <textarea
        id={id}
        readOnly
        rows={rows}
        value={text}
        onFocus={(event) => event.target.select()}
        className="w-full resize-none rounded-md border bg-subtle px-2.5 py-2 font-mono text-[13px] break-all"
      />
    </div>
  );
}
