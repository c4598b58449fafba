import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/class-names";

interface StepProps {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}

/** One step of the checklist. Completion is also shown as text. */
export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 border-b p-4 last:border-b-0">
      <span
        aria-hidden
        className={cn(
          "grid size-6 place-items-center rounded-full border text-xs font-medium",
          isDone ? "border-transparent bg-success-subtle text-success" : "border-border-strong text-muted",
        )}
      >
        {isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="grid justify-items-start gap-3">
        <h2 className="flex min-h-6 flex-wrap items-center gap-x-2 text-sm font-semibold">
          {title}
          {isDone && <span className="text-xs font-medium text-success">Done</span>}
        </h2>
        {children}
      </div>
    </li>
  );
}
