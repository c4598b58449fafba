import { cn } from "./class-names";
import { CopyButton } from "./copy-button";

/** Monospaced identifier with a button that copies the full value. */
export function MonoId({
  value,
  name,
  shown = value,
  className,
}: {
  value: string;
  name: string;
  shown?: string;
  className?: string;
}) {
  return (
    <span className={cn("inline-flex max-w-full items-center gap-0.5", className)}>
      <code className="truncate font-mono text-[13px]" title={value}>
        {shown}
      </code>
      <CopyButton text={value} label={`Copy ${name}`} className="relative z-10 size-6 text-muted" />
    </span>
  );
}
