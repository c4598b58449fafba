import type { ReactNode } from "react";
import { cn } from "./class-names";

interface CardProps {
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** Bordered section of a page. With a title it is a landmark region. */
export function Card({ id, title, description, action, children, className }: CardProps) {
  return (
    <section
      id={id}
      aria-labelledby={title && id ? `${id}-title` : undefined}
      className="scroll-mt-24 rounded-lg border bg-surface"
    >
      {title && (
        <div className="flex flex-wrap items-start justify-between gap-3 px-4 pt-4 sm:px-5">
          <div className="grid gap-0.5">
            <h2 id={id ? `${id}-title` : undefined} className="text-[15px] font-semibold">
              {title}
            </h2>
            {description && <p className="text-[13px] text-muted">{description}</p>}
          </div>
          {action}
        </div>
      )}
      <div className={cn("p-4 sm:px-5", title && "pt-3", className)}>{children}</div>
    </section>
  );
}
