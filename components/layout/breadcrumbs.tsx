"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useCurrentTitle } from "./current-title";
import { DESTINATIONS, isCurrent } from "./navigation";

/** Where the page stands: its destination, and below it the page's own title. */
export function Breadcrumbs() {
  const pathname = usePathname();
  const title = useCurrentTitle();
  const destination = DESTINATIONS.find((candidate) => isCurrent(candidate, pathname));
  if (!destination) return null;
  const isDeeper = pathname !== destination.href;
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 px-2">
      <ol className="flex min-w-0 items-center gap-1.5">
        <li className="shrink-0">
          {isDeeper ? (
            <Link href={destination.href} className="rounded-sm text-muted hover:text-foreground">
              {destination.label}
            </Link>
          ) : (
            <span aria-current="page" className="font-medium">
              {destination.label}
            </span>
          )}
        </li>
        {isDeeper && (
          <li className="flex min-w-0 items-center gap-1.5">
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />
            <span aria-current="page" className="truncate font-medium">
              {title}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}
