"use client";
import type { ReactNode } from "react";
import type { Permission } from "@/lib/platform/permissions";
import { useMay, type Demand } from "./user-context";

interface MayProps {
  permission: Demand;
  children: ReactNode;
}

/** Shows its content only to users with the permission, which may be that of an operation. */
export function May({ permission, children }: MayProps) {
  return useMay(permission) && children;
}

/** Shows forms to everybody, and disables them for users without the permission. */
export function Editable({ permission, children }: MayProps) {
  if (useMay(permission)) return children;
  return (
    <div className="grid gap-4">
      <ReadOnlyNotice permission={typeof permission === "string" ? permission : permission.permission} />
      <fieldset disabled aria-label="Read-only settings" className="min-w-0">
        {children}
      </fieldset>
    </div>
  );
}

export const ReadOnlyNotice = ({ permission }: { permission: Permission | undefined }) => (
  <p className="text-[13px] text-muted">
    Read-only: changes require the permission <code className="font-mono">{permission}</code>.
  </p>
);
