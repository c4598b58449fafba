import type { ReactNode } from "react";

/** Part of a verdict, such as its decisions. */
export function VerdictSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-1.5 text-[13px]">
      <h3 className="font-medium">{title}</h3>
      {children}
    </section>
  );
}
