import { cn } from "@/components/ui/class-names";
import { Skeleton } from "@/components/ui/skeleton";

/** Placeholder of a form with text fields and a button, as high as the form. `hints` contains each field's hint, "" for none. */
export const FormSkeleton = ({ hints, className }: { hints: readonly string[]; className: string }) => (
  <div aria-hidden className={cn("grid", className)}>
    <div className={cn("grid gap-4", hints.length > 1 && "sm:grid-cols-2")}>
      {hints.map((hint, index) => (
        <div key={index} className="grid content-start gap-1.5 text-[13px]">
          <span>&nbsp;</span>
          <Skeleton className="h-8 w-full" />
          {hint && <p className="invisible">{hint}</p>}
        </div>
      ))}
    </div>
    <Skeleton className="h-8 w-28" />
  </div>
);
