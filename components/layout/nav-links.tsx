"use client";
import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useId } from "react";
import { firingNowQuery } from "@/components/alerts/firing-now";
import { useMay, useUser } from "@/components/session/user-context";
import { cn } from "@/components/ui/class-names";
import { Tooltip } from "@/components/ui/tooltip";
import { useChosenWorkspace } from "./chosen-workspace";
import { useFoldedGroups } from "./folded-groups";
import { groupsFor, inWorkspace, isCurrent, type Destination, type DestinationGroup } from "./navigation";

interface NavLinksProps {
  isCollapsed?: boolean;
  onNavigate?: () => void;
}

export function NavLinks({ isCollapsed = false, onNavigate }: NavLinksProps) {
  const { permissions } = useUser();
  const canSeeAlerts = useMay("alerts:read");
  const workspace = useChosenWorkspace();
  const firing = useQuery({ ...firingNowQuery(workspace), enabled: canSeeAlerts }).data?.total_count ?? 0;
  return (
    <nav aria-label="Main" className={cn("-mx-2 grid min-h-0 overflow-y-auto px-2", isCollapsed ? "gap-2" : "gap-3")}>
      {groupsFor(permissions).map((group) => (
        <NavGroup key={group.id} group={group} firing={firing} isCollapsed={isCollapsed} onNavigate={onNavigate} />
      ))}
    </nav>
  );
}

interface NavGroupProps {
  group: DestinationGroup;
  /** Number of alerts that are firing. */
  firing: number;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}

/** A group with its heading. Folded, it shows only the current page; a single page is not worth folding. */
function NavGroup({ group: { id, label, destinations }, firing, isCollapsed, onNavigate }: NavGroupProps) {
  const pathname = usePathname();
  const { isFolded, toggle } = useFoldedGroups();
  const name = useId();
  const list = useId();
  const canFold = !isCollapsed && destinations.length > 1;
  const isShut = canFold && isFolded(id);
  const shown = isShut ? destinations.filter((destination) => isCurrent(destination, pathname)) : destinations;
  const firingAt = (destination: Destination) => (destination.href === ALERTS ? firing : 0);
  const isFiringHidden = isShut && destinations.some((each) => firingAt(each) > 0 && !shown.includes(each));
  return (
    <div className={cn("grid gap-0.5", isCollapsed && "border-t pt-2 first:border-t-0 first:pt-0")}>
      {canFold ? (
        <button
          type="button"
          id={name}
          aria-expanded={!isShut}
          aria-controls={list}
          onClick={() => toggle(id)}
          className="flex h-7 items-center gap-2 rounded-md px-2 text-xs font-medium text-muted hover:bg-subtle hover:text-foreground"
        >
          {label}
          {isFiringHidden && <FiringBadge count={firing} />}
          <ChevronDown aria-hidden className={cn("size-3.5", isShut && "-rotate-90", !isFiringHidden && "ml-auto")} />
        </button>
      ) : (
        <span
          id={name}
          className={isCollapsed ? "sr-only" : "flex h-7 items-center px-2 text-xs font-medium text-muted"}
        >
          {label}
        </span>
      )}
      <ul id={list} aria-labelledby={name} className="grid gap-0.5">
        {shown.map((destination) => (
          <li key={destination.href}>
            <NavLink
              destination={destination}
              firing={firingAt(destination)}
              isActive={isCurrent(destination, pathname)}
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The page whose link shows what is firing. */
const ALERTS = "/alerts";

interface FiringBadgeProps {
  count: number;
  /** A dot at the icon of a collapsed sidebar. */
  isDot?: boolean;
}

const FiringBadge = ({ count, isDot = false }: FiringBadgeProps) => (
  <span
    className={
      isDot
        ? "absolute top-1 right-1 size-2 rounded-full bg-danger"
        : "ml-auto rounded-full bg-danger-subtle px-1.5 text-xs font-medium text-danger tabular-nums"
    }
  >
    <span className={isDot ? "sr-only" : undefined}>{count}</span>
    <span className="sr-only"> firing</span>
  </span>
);

interface NavLinkProps {
  destination: Destination;
  firing: number;
  isActive: boolean;
  isCollapsed: boolean;
  onNavigate: (() => void) | undefined;
}

function NavLink({
  destination: { href, label, icon: Icon },
  firing,
  isActive,
  isCollapsed,
  onNavigate,
}: NavLinkProps) {
  const workspace = useChosenWorkspace();
  const link = (
    <Link
      href={inWorkspace(href, workspace)}
      onClick={onNavigate}
      aria-current={isActive ? "page" : undefined}
      className={cn(
        "relative flex h-8 items-center gap-2.5 rounded-md px-2 hover:text-foreground text-muted hover:bg-subtle",
        isActive && "bg-subtle-strong font-medium text-foreground hover:bg-subtle-strong",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={isCollapsed ? "sr-only" : "truncate"}>{label}</span>
      {firing > 0 && <FiringBadge count={firing} isDot={isCollapsed} />}
    </Link>
  );
  return isCollapsed ? (
    <Tooltip text={firing > 0 ? `${label}: ${firing} firing` : label} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
