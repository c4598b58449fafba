import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "./class-names";

/** A link inside text. */
export function TextLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  // An answer of the API is no page: the router would ask for it beforehand and never read it to its end.
  const Element = href.startsWith("/v1/") ? "a" : Link;
  return (
    <Element href={href} className={cn("rounded-sm text-accent underline underline-offset-2", className)}>
      {children}
    </Element>
  );
}
