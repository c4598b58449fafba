import { cn } from "./class-names";

/** Loading placeholder, invisible for the first 150 ms. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden className="block animate-late">
      <span className={cn("block animate-pulse bg-subtle-strong h-4 rounded-md", className)} />
    </span>
  );
}
