"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useUser } from "@/components/session/user-context";
import { cn } from "@/components/ui/class-names";
import { Tooltip } from "@/components/ui/tooltip";
import { useChosenWorkspace } from "./chosen-workspace";
import { destinationsFor, inWorkspace, isCurrent, type Destination } from "./navigation";

interface NavLinksProps {
  isCollapsed?: boolean;
  onNavigate?: () => void;
}

export function NavLinks({ isCollapsed = false, onNavigate }: NavLinksProps) {
  const pathname = usePathname();
  const { isAdmin } = useUser();
  return (
    <nav aria-label="Main">
      <ul className="grid gap-0.5">
        {destinationsFor(isAdmin).map((destination) => (
          <li key={destination.href}>
            <NavLink
              destination={destination}
              isActive={isCurrent(destination, pathname)}
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface NavLinkProps {
  destination: Destination;
  isActive: boolean;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}

function NavLink({ destination: { href, label, icon: Icon }, isActive, isCollapsed, onNavigate }: NavLinkProps) {
  const workspace = useChosenWorkspace();
  const link = (
    <Link
      href={inWorkspace(href, workspace)}
      onClick={onNavigate}
      aria-current={isActive ? "page" : undefined}
      className={cn(
        "flex h-8 items-center gap-2.5 rounded-md px-2 hover:text-foreground text-muted hover:bg-subtle",
        isActive && "bg-subtle-strong font-medium text-foreground hover:bg-subtle-strong",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={isCollapsed ? "sr-only" : "truncate"}>{label}</span>
    </Link>
  );
  return isCollapsed ? (
    <Tooltip text={label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
