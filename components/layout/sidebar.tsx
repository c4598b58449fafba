"use client";
import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import Link from "next/link";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { BrandMark } from "./brand";
import { NavLinks } from "./nav-links";
import { WorkspaceSwitcher } from "./workspace-switcher";

interface SidebarProps {
  isCollapsed: boolean;
  onToggle: () => void;
}

export function Sidebar({ isCollapsed, onToggle }: SidebarProps) {
  const canSeeWorkspaces = useMay("workspaces:read");
  const Icon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      aria-label="Sidebar"
      className={cn(
        "sticky top-0 hidden h-dvh shrink-0 flex-col gap-3 border-r bg-surface p-2 md:flex print:hidden!",
        isCollapsed ? "w-13" : "w-56",
      )}
    >
      <Link href="/" className="flex h-9 items-center gap-2 rounded-md px-1.5 font-semibold">
        <BrandMark />
        <span className={isCollapsed ? "sr-only" : undefined}>Signalbox</span>
      </Link>
      {canSeeWorkspaces && <WorkspaceSwitcher isCollapsed={isCollapsed} />}
      <NavLinks isCollapsed={isCollapsed} />
      <Button
        variant="ghost"
        size="icon"
        className="mt-auto text-muted"
        aria-label={isCollapsed ? "Expand sidebar" : "Collapse sidebar"}
        aria-expanded={!isCollapsed}
        onClick={onToggle}
      >
        <Icon aria-hidden />
      </Button>
    </aside>
  );
}
