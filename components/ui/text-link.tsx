import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./class-names";

/** A link inside text. */
export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <Link href={href} className={cn("rounded-sm text-accent underline underline-offset-2", className)}>
      {children}
    </Link>
  );
}
