import { Compass } from "lucide-react";
import type { Metadata } from "next";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-xl content-center gap-4 p-4">
      <h1 className="sr-only">Page not found</h1>
      <EmptyState
        icon={Compass}
        title="There is no page at this address"
        action={
          <Button asChild variant="primary">
            <Link href="/">Go to the start page</Link>
          </Button>
        }
      >
        It may have been moved, or the address was mistyped.
      </EmptyState>
    </main>
  );
}
