import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./class-names";

/** Inline link. */
export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  // API responses aren't pages: the router would prefetch them and never read the whole body.
  const Element = href.startsWith("/v1/") ? "a" : Link;
  return (
    <Element href={href} className={cn("rounded-sm text-accent underline underline-offset-2", className)}>
      {children}
    </Element>
  );
}
