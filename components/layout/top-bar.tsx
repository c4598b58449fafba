"use client";
import { ChevronRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { AccountMenu } from "@/components/session/account-menu";
import { CommandPalette } from "./command-palette";
import { MobileMenu } from "./mobile-menu";
import { ThemeMenu } from "./theme-menu";
import { useChosenWorkspace } from "./chosen-workspace";
import { useCurrentTitle } from "./current-title";
import { DESTINATIONS, inWorkspace, isCurrent } from "./navigation";

export function TopBar() {
  return (
    <header className="print:hidden sticky top-0 z-30 flex h-13 items-center gap-1 border-b bg-background/90 px-2 backdrop-blur-sm sm:px-4 lg:px-6">
      <MobileMenu />
      <Breadcrumbs />
      <div className="ml-auto flex shrink-0 items-center gap-1">
        <CommandPalette />
        <ThemeMenu />
        <AccountMenu />
      </div>
    </header>
  );
}

/** Section, parent pages and title of the current page. */
function Breadcrumbs() {
  const pathname = usePathname();
  const { title, parents } = useCurrentTitle();
  const workspace = useChosenWorkspace();
  const destination = DESTINATIONS.find((candidate) => isCurrent(candidate, pathname));
  const isDeeper = destination !== undefined && pathname !== destination.href;
  const above = isDeeper
    ? [{ href: inWorkspace(destination.href, workspace), label: destination.label }, ...parents]
    : [];
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 px-2">
      <ol className="flex min-w-0 items-center gap-1.5">
        {above.map(({ href, label }, index) => (
          <li
            key={href}
            className={
              index === above.length - 1
                ? "flex min-w-0 items-center gap-1.5"
                : "hidden min-w-0 items-center gap-1.5 sm:flex"
            }
          >
            <Link href={href} className="truncate rounded-sm text-muted hover:text-foreground">
              {label}
            </Link>
            <ChevronRight aria-hidden className="size-3.5 shrink-0 text-muted" />
          </li>
        ))}
        <li className="flex min-w-0">
          <span aria-current="page" className="truncate font-medium">
            {isDeeper || !destination ? title : destination.label}
          </span>
        </li>
      </ol>
    </nav>
  );
}
