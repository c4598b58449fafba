import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import { Skeleton } from "@/components/ui/skeleton";

interface CountCardProps {
  href: string;
  label: string;
  icon: LucideIcon;
  count: number | undefined;
  isFailed: boolean;
}

const format = new Intl.NumberFormat("en");

export function CountCard({ href, label, icon: Icon, count, isFailed }: CountCardProps) {
  return (
    <Link href={href} className="grid gap-2 rounded-lg border bg-surface p-4 hover:border-border-strong">
      <span className="flex items-center gap-2 text-[13px] text-muted">
        <Icon aria-hidden className="size-4" />
        {label}
      </span>
      <span className="flex h-8 items-center text-2xl font-semibold tabular-nums">
        {count !== undefined ? format.format(count) : isFailed ? <span className="text-sm font-normal text-muted">Not available</span> : <Skeleton className="h-6 w-10" />}
      </span>
    </Link>
  );
}
