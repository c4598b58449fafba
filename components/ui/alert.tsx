import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./class-names";

const KINDS = {
  danger: { icon: CircleAlert, style: "border-danger/30 bg-danger-subtle", ink: "text-danger" },
  warning: { icon: TriangleAlert, style: "border-warning/30 bg-warning-subtle", ink: "text-warning" },
  info: { icon: Info, style: "bg-subtle", ink: "text-muted" },
} as const;

interface AlertProps {
  kind: keyof typeof KINDS;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}

/** Inline message. A danger alert is announced immediately. */
export function Alert({ kind, title, children, action }: AlertProps) {
  const { icon: Icon, style, ink } = KINDS[kind];
  return (
    <div
      role={kind === "danger" ? "alert" : "status"}
      className={cn("flex gap-2.5 rounded-lg border p-3 text-sm", style)}
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", ink)} />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-medium break-words">{title}</p>
        {children && <div className="text-[13px] break-words text-foreground/80">{children}</div>}
        {action && <div className="mt-1.5 flex flex-wrap gap-2 empty:hidden">{action}</div>}
      </div>
    </div>
  );
}
