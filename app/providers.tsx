"use client";
import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { ThemeProvider } from "next-themes";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useEffect, useState, type ReactNode } from "react";
import { HydrationMark } from "@/components/ui/hydration-mark";
import { Toaster } from "@/components/ui/toaster";
import { toFailure } from "@/lib/browser/api-failure";
import { watchPageLoads } from "@/lib/browser/page-loads";
import { allowDialogStyles } from "@/lib/browser/page-nonce";
import { THEME_KEY, THEMES } from "@/lib/browser/preferences";
import { currentReach, onReachChange } from "@/lib/browser/reach";

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

interface ProvidersProps {
  nonce: string | undefined;
  children: ReactNode;
}

export function Providers({ nonce, children }: ProvidersProps) {
  const [queryClient] = useState(createQueryClient);
  useEffect(allowDialogStyles, []);
  useEffect(watchPageLoads, []);
  useEffect(() => {
    onlineManager.setEventListener((setOnline) => onReachChange(() => setOnline(currentReach() === "online")));
  }, []);
  return (
    // "system" is a theme like the others: the style sheet follows the device.
    <ThemeProvider
      themes={[...THEMES]}
      defaultTheme="system"
      enableSystem={false}
      enableColorScheme={false}
      storageKey={THEME_KEY}
      {...(nonce !== undefined && { nonce })}
    >
      <QueryClientProvider client={queryClient}>
        <NuqsAdapter>{children}</NuqsAdapter>
        <Toaster />
        <HydrationMark />
      </QueryClientProvider>
    </ThemeProvider>
  );
}
