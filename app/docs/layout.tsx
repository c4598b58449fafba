import type { ReactNode } from "react";
import { BrandMark } from "@/components/layout/brand";
import { TextLink } from "@/components/ui/text-link";
import { ConsoleFrame } from "../console-frame";
import { signedInCaller } from "../signed-in-caller";

/** Signed-out visitors get the API reference without the console frame. */
export default async function ReferenceLayout({ children }: { children: ReactNode }) {
  const caller = await signedInCaller();
  if (caller) return <ConsoleFrame caller={caller}>{children}</ConsoleFrame>;
  return (
    <>
      <header className="flex items-center justify-between border-b px-4 py-3 sm:px-6 lg:px-8">
        <span className="flex items-center gap-2 font-semibold">
          <BrandMark /> Signalbox
        </span>
        <TextLink href="/sign-in?next=/docs">Sign in</TextLink>
      </header>
      <main id="content" className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-6 lg:px-8">
        {children}
      </main>
    </>
  );
}
