import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { fontClass } from "./fonts/inter";
import { Providers } from "./providers";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Signalbox", template: "%s · Signalbox" },
  description: "Self-hosted control plane for LLM routing",
  robots: { index: false },
};

export const viewport: Viewport = {
  colorScheme: "light dark",
  width: "device-width",
  initialScale: 1,
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" className={fontClass} suppressHydrationWarning>
      <body className="min-h-dvh font-sans text-sm">
        {/* Blocks painting until the page has arrived: otherwise headers and table columns would move. */}
        <link rel="expect" href="#page-end" blocking="render" />
        <Providers nonce={nonce}>{children}</Providers>
        <div id="page-end" hidden />
      </body>
    </html>
  );
}
