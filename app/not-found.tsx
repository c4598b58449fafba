import type { Metadata } from "next";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata: Metadata = { title: "Page not found" };

/** Without client components, because every page loads this page's scripts. */
export default function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-xl content-center gap-4 p-4">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon="404"
        title="Page not found"
        action={
          <a href="/" className={buttonStyle({ variant: "primary" })}>
            Go to overview
          </a>
        }
      >
        It may have been moved or deleted, or the URL is wrong.
      </EmptyState>
    </main>
  );
}
