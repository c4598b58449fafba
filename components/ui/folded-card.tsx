"use client";
import { ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { cn } from "./class-names";

interface FoldedCardProps {
  id: string;
  title: string;
  /** What the card contains, shown also while it is closed. */
  description: string;
  children: ReactNode;
  className?: string;
}

/** Card that is closed at first, for what few readers need. Its content is rendered once it is opened. */
export function FoldedCard({ id, title, description, children, className }: FoldedCardProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24 rounded-lg border bg-surface">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer list-none items-start gap-2 rounded-lg p-4 hover:bg-subtle/60 sm:px-5 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden className={cn("mt-1 size-4 shrink-0 text-muted", isOpen && "rotate-90")} />
          <span className="grid gap-0.5">
            <h2 id={`${id}-title`} className="text-[15px] font-semibold">
              {title}
            </h2>
            <span className="text-[13px] text-muted">{description}</span>
          </span>
        </summary>
        {isOpen && <div className={cn("px-4 pb-4 sm:px-5", className)}>{children}</div>}
      </details>
    </section>
  );
}
