"use client";
import type { ReactNode } from "react";
import { useShowTitle, type Crumb } from "./current-title";

interface PageHeaderProps {
  title: string;
  badge?: ReactNode;
  description?: ReactNode;
  /** Primary action of the page; hidden while an empty state offers it. */
  action?: ReactNode;
  /** Parent pages between this page and its section. */
  parents?: readonly Crumb[];
}

const NO_PARENTS: readonly Crumb[] = [];

/** The page's only h1. */
export function PageHeader({ title, badge, description, action, parents = NO_PARENTS }: PageHeaderProps) {
  useShowTitle(title, parents);
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="grid min-w-0 gap-1">
        <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2.5">
          <h1 className="min-w-0 text-2xl font-semibold break-words">{title}</h1>
          {badge}
        </div>
        {description && <div className="max-w-3xl text-muted">{description}</div>}
      </div>
      {action && (
        <div className="flex flex-wrap items-center gap-2 [main:has([data-header-action])_&]:hidden">{action}</div>
      )}
    </div>
  );
}
