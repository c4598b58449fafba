"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { Tooltip } from "radix-ui";
import { useState, type ReactNode } from "react";
import { Toaster } from "sonner";
import { toFailure } from "@/lib/browser/api-failure";

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

const isTransient = (error: unknown) => {
  const { status } = toFailure(error);
  return status === 0 || status >= 500;
};

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { staleTime: STALE_MS, networkMode: "always", retry: (count, error) => count < MAX_RETRIES && isTransient(error) },
      mutations: { networkMode: "always" },
    },
  });

/** Below the top bar, so that neither its menus nor a form's buttons are covered. */
const TOAST_OFFSET = { top: 60, right: 16 };

const toastOptions = {
  classNames: {
    toast: "!rounded-lg !border !border-border !bg-surface-raised !text-foreground !font-sans !shadow-lg",
    description: "!text-muted",
    error: "[&_[data-icon]]:!text-danger",
    success: "[&_[data-icon]]:!text-success",
  },
};

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>
        <Tooltip.Provider delayDuration={300}>{children}</Tooltip.Provider>
      </NuqsAdapter>
      <Toaster position="top-right" offset={TOAST_OFFSET} mobileOffset={TOAST_OFFSET} toastOptions={toastOptions} />
    </QueryClientProvider>
  );
}
