"use client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useEffect, useState, type ReactNode } from "react";
import { Toaster } from "@/components/ui/toaster";
import { toFailure } from "@/lib/browser/api-failure";
import { releaseClicks } from "@/lib/browser/early-input";
import { allowDialogStyles } from "@/lib/browser/page-nonce";

const STALE_MS = 10_000;
const MAX_RETRIES = 2;

const isTransient = (error: unknown) => {
  const { status } = toFailure(error);
  return status === 0 || status >= 500;
};

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (count, error) => count < MAX_RETRIES && isTransient(error),
      },
      mutations: { networkMode: "always" },
    },
  });

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  useEffect(allowDialogStyles, []);
  useEffect(releaseClicks, []);
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>{children}</NuqsAdapter>
      <Toaster />
    </QueryClientProvider>
  );
}
