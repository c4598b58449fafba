import type { Metadata } from "next";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata: Metadata = { title: "Page not found" };

/** Every page loads the scripts of this one: it has none, neither of a sign nor of a link. */
export default function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-xl content-center gap-4 p-4">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon="404"
        title="There is no page at this address"
        action={
          <a href="/" className={buttonStyle({ variant: "primary" })}>
            Go to the start page
          </a>
        }
      >
        It may have been moved, or the address was mistyped.
      </EmptyState>
    </main>
  );
}
