import type { ReactNode } from "react";
import { BrandMark } from "./brand";

/** Centered layout of the sign-in and invitation pages. */
export function AuthLayout({
  title,
  description,
  children,
}: {
  title: string;
  description?: string;
  children: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="grid w-full max-w-sm gap-6">
        <div className="grid justify-items-center gap-3 text-center">
          <BrandMark className="size-10" />
          <h1 className="text-lg font-semibold">{title}</h1>
          {description && <p className="-mt-1.5 text-muted">{description}</p>}
        </div>
        <div className="rounded-xl border bg-surface p-5 shadow-xs">{children}</div>
      </div>
    </main>
  );
}
