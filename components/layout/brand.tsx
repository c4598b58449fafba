import { cn } from "@/components/ui/class-names";

/** Product logo: a railway signal showing "proceed". */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className={cn("shrink-0 size-6", className)}>
      <rect x="5" y="1.5" width="14" height="21" rx="7" className="fill-primary" />
      <circle cx="12" cy="8" r="3" className="fill-on-primary opacity-35" />
      <circle cx="12" cy="16" r="3.4" fill="#3ddc97" />
    </svg>
  );
}
