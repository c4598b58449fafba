import { ChevronRight } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/class-names";
import { useFollowedHash } from "./use-followed-hash";

interface SettingsDisclosureProps {
  id: string;
  title: string;
  description?: string;
  /** Summary of the settings, shown while the section is closed: "3 custom patterns". */
  summary: string;
  /** Number of errors within. Opens the section when there are some. */
  errors?: number;
  children: ReactNode;
}

/**
 * Section of the settings card that is closed at first. Errors and links to it open it. Its fields keep their state while
 * it is closed.
 */
export function SettingsDisclosure({ id, title, description, summary, errors = 0, children }: SettingsDisclosureProps) {
  const section = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [hadErrors, setHadErrors] = useState(false);
  const followed = useFollowedHash();
  const [seen, setSeen] = useState("");
  const isTarget = followed.endsWith(` #${id}`);
  if (hadErrors !== errors > 0) {
    setHadErrors(errors > 0);
    if (errors > 0) setOpen(true);
  }
  if (seen !== followed) {
    setSeen(followed);
    if (isTarget) setOpen(true);
  }
  if (isOpen && !wasOpened) setOpened(true);
  // The browser has looked for the section before it was on the page.
  useEffect(() => {
    if (isTarget) section.current?.scrollIntoView();
  }, [isTarget, followed]);
  const content = `${id}-content`;
  return (
    <section ref={section} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-28">
      <div className="relative flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2 hover:bg-subtle sm:px-5">
        <h2 className="font-semibold">
          <button
            type="button"
            id={`${id}-title`}
            aria-expanded={isOpen}
            aria-controls={content}
            aria-describedby={`${id}-summary`}
            data-has-errors={errors > 0 || undefined}
            onClick={() => setOpen(!isOpen)}
            className="flex items-center gap-2 text-left after:absolute after:inset-0"
          >
            <ChevronRight aria-hidden className={cn("size-4 shrink-0 text-muted", isOpen && "rotate-90")} />
            {title}
          </button>
        </h2>
        <p id={`${id}-summary`} className="min-w-0 flex-1 basis-56 text-[13px] text-pretty text-muted">
          {isOpen ? description : summary}
        </p>
        {errors > 0 && (
          <Badge tone="danger">
            {errors} {errors === 1 ? "error" : "errors"}
          </Badge>
        )}
      </div>
      <div id={content} hidden={!isOpen} className="px-4 pt-1 pb-4 sm:px-5 sm:pl-11">
        {wasOpened && <div className="grid min-w-0 gap-3">{children}</div>}
      </div>
    </section>
  );
}
