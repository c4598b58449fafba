import { cn } from "./class-names";
import { CopyButton } from "./copy-button";

/** Read-only text with a copy button: code, JSON, a prompt. */
export function CodeBlock({
  label,
  text,
  className,
  wraps = false,
}: {
  label: string;
  text: string;
  className?: string;
  wraps?: boolean;
}) {
  return (
    <div className={cn("relative rounded-md border bg-background", className)}>
      <pre
        role="group"
        aria-label={label}
        tabIndex={0}
        className={cn(
          "max-h-[32rem] overflow-auto rounded-md p-3 pr-11 font-mono text-[13px]/5",
          wraps && "break-words whitespace-pre-wrap",
        )}
      >
        {text}
      </pre>
      <CopyButton
        text={text}
        label={`Copy ${label.toLowerCase()}`}
        className="absolute top-1.5 right-1.5 bg-background text-muted"
      />
    </div>
  );
}
