"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { cn } from "@/components/ui/class-names";

const PAGES = [
  { href: "/members", label: "Members" },
  { href: "/members/groups", label: "Groups" },
  { href: "/members/roles", label: "Roles" },
  { href: "/members/permissions", label: "Permissions" },
] as const;

/** Links between the pages about who may do what. */
export function AccessNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Members and roles" className="-mt-2 mb-4 flex gap-0.5 overflow-x-auto border-b">
      {PAGES.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={pathname === href ? "page" : undefined}
          className={cn(
            "-mb-px flex h-9 shrink-0 items-center border-b-2 border-transparent px-2 text-muted hover:text-foreground",
            pathname === href && "border-primary font-medium text-foreground",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
