import { useState, type ReactNode } from "react";

interface FoldedFieldsProps {
  title: string;
  /** Summary of the fields' values, shown while they are closed. */
  summary: string;
  isOpenAtFirst?: boolean;
  /** True if one of the fields has an error, which opens them. */
  hasError?: boolean;
  children: ReactNode;
}

/** Fields of a form that few need. They keep their values while they are closed. */
export function FoldedFields({ title, summary, isOpenAtFirst = false, hasError = false, children }: FoldedFieldsProps) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = hasError || (chosen ?? isOpenAtFirst);
  return (
    <details open={isOpen} className="rounded-md border px-3 py-2">
      <summary
        className="cursor-pointer text-[13px] font-medium"
        onClick={(event) => {
          event.preventDefault();
          setChosen(!isOpen);
        }}
      >
        {title}
        {!isOpen && <span className="font-normal text-muted">: {summary}</span>}
      </summary>
      <div className="mt-3 grid gap-4 pb-1">{children}</div>
    </details>
  );
}
