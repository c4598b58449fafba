import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  /** An icon, or text short enough for a square. */
  icon: LucideIcon | string;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** True to hide the same action in the page's header. */
  isHeaderAction?: boolean;
}

/** Empty state: explains the missing content and offers the next step. */
export function EmptyState({ icon: Icon, title, children, action, isHeaderAction = false }: EmptyStateProps) {
  return (
    <div
      data-header-action={isHeaderAction || undefined}
      className="grid justify-items-center gap-2 rounded-lg border border-dashed bg-surface px-6 py-14 text-center"
    >
      <span className="mb-1 grid size-10 place-items-center rounded-lg border bg-subtle text-muted">
        {typeof Icon === "string" ? (
          <span aria-hidden className="text-xs font-semibold">
            {Icon}
          </span>
        ) : (
          <Icon aria-hidden className="size-5" />
        )}
      </span>
      <h2 className="text-sm font-semibold">{title}</h2>
      <div className="max-w-md text-sm text-muted">{children}</div>
      {action && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
