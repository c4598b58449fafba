import { useRef, useSyncExternalStore } from "react";
import { useFormState, type Control } from "react-hook-form";
import { cn } from "@/components/ui/class-names";
import { edgeFadeStyle, useEdgeFade } from "@/components/ui/use-edge-fade";
import { count } from "@/lib/platform/count";
import type { GuardrailValues } from "./guardrail-values";
import { errorsIn, SECTIONS, type SectionId } from "./sections";

/** Link to the tools: beside the form on a wide screen, otherwise below it. */
const TOOLS = { id: "tools", label: "Summary & tests" } as const;
const BESIDE_PX = 1024;

type Place = SectionId | typeof TOOLS.id;

/** Height of the top bar and the outline. */
const READING_LINE_PX = 160;

/** The current section: the last one above the reading line, or the last of all at the end of the page. */
function sectionInView(): Place {
  const isAtEnd =
    window.scrollY > 0 && window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const places = window.innerWidth < BESIDE_PX ? [...SECTIONS, TOOLS] : SECTIONS;
  const reached = places.filter(
    ({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= READING_LINE_PX,
  );
  return (isAtEnd ? places.at(-1) : reached.at(-1))?.id ?? "basics";
}

const onScroll = (listener: () => void) => {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
};

/** Also covers scrolling that happened before hydration. */
const useSectionInView = () => useSyncExternalStore<Place>(onScroll, sectionInView, () => "basics");

/** Links to the sections and, on a narrow screen, to the tools below. Marks the current section and sections with errors. */
export function SectionOutline({ control }: { control: Control<GuardrailValues> }) {
  const current = useSectionInView();
  const list = useRef<HTMLUListElement>(null);
  useEdgeFade(list);
  const { errors } = useFormState({ control });
  return (
    <nav
      aria-label="Sections"
      className="sticky top-13 z-20 -mx-4 min-w-0 self-start border-b bg-background/95 px-4 py-2 backdrop-blur-sm sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8 2xl:top-19 2xl:mx-0 2xl:border-0 2xl:bg-transparent 2xl:p-0"
    >
      <ul ref={list} className={cn("flex gap-1 overflow-x-auto text-[13px] 2xl:grid 2xl:gap-0.5", edgeFadeStyle)}>
        {[TOOLS, ...SECTIONS].map(({ id, label }) => {
          const amount = id === TOOLS.id ? 0 : errorsIn(id, errors);
          return (
            <li key={id} className={cn("shrink-0", id === TOOLS.id && "lg:hidden")}>
              <a
                href={`#${id}`}
                aria-current={current === id ? "location" : undefined}
                className={cn(
                  "flex min-h-7 items-center justify-between gap-2 rounded-md px-2 whitespace-nowrap text-muted hover:bg-subtle hover:text-foreground focus-visible:-outline-offset-2",
                  current === id && "bg-subtle font-medium text-foreground",
                )}
              >
                {label}
                {amount > 0 && (
                  <span className="rounded-full bg-danger-subtle px-1.5 text-xs font-medium text-danger tabular-nums">
                    {amount}
                    <span className="sr-only"> {count(amount, "error").replace(/^\d+ /, "")}</span>
                  </span>
                )}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
