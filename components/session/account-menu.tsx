"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleUser, LogOut } from "lucide-react";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { sessionQuery } from "./session-queries";
import { useLeave } from "./use-leave";
import { useUser } from "./user-context";

const MAX_INITIALS = 2;

const initials = (name: string) =>
  name
    .split(/[\s@.]+/)
    .slice(0, MAX_INITIALS)
    .map((part) => part.charAt(0).toUpperCase())
    .join("");

export function AccountMenu() {
  const user = useUser();
  const { data: session } = useQuery(sessionQuery);
  const leave = useLeave();
  return (
    <Menu
      trigger={
        <Button variant="ghost" size="icon" className="rounded-full" aria-label={`Account: ${user.name}`}>
          <span
            aria-hidden
            className="grid size-7 place-items-center rounded-full bg-subtle-strong text-xs font-semibold"
          >
            {initials(user.name)}
          </span>
        </Button>
      }
    >
      <MenuLabel>
        <span className="block text-sm font-medium text-foreground">{user.name}</span>
        {session && session.user.email !== user.name && <span className="block">{session.user.email}</span>}
        <span className="block">{session && `${session.user.role_name} of ${session.organization.name}`}</span>
      </MenuLabel>
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/account">
          <CircleUser aria-hidden className="text-muted" /> Account
        </Link>
      </MenuItem>
      <MenuItem onSelect={leave}>
        <LogOut aria-hidden className="text-muted" /> Sign out
      </MenuItem>
    </Menu>
  );
}
