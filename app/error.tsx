"use client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto grid min-h-[60dvh] w-full max-w-xl content-center gap-4 p-4">
      <h1 className="sr-only">Something went wrong</h1>
      <EmptyState
        icon="!"
        title="This page couldn't be loaded"
        action={
          <Button variant="primary" onClick={reset}>
            Try again
          </Button>
        }
      >
        <p>Try again. If the error persists, check the server log{error.digest ? " for:" : "."}</p>
        {error.digest && <code className="font-mono text-[13px]">{error.digest}</code>}
      </EmptyState>
    </main>
  );
}
