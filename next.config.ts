import type { NextConfig } from "next";
import { EXTERNAL_PACKAGES } from "./lib/server/external-packages.mjs";

const config: NextConfig = {
  // Only the container image takes the standalone folder; `npm start` serves the build in place.
  output: process.env["SIGNALBOX_STANDALONE"] ? "standalone" : undefined,
  poweredByHeader: false,
  reactStrictMode: true,
  // No page has images to resize, so /_next/image answers 404.
  images: { unoptimized: true },
  // Types are checked by `npm run check`, not again at every start.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: EXTERNAL_PACKAGES,
  // Pages are loaded when they are opened: an installation that only serves the API never needs them.
  experimental: { preloadEntriesOnStart: false },
  // What is read by path at run time, so that nothing imports it.
  outputFileTracingIncludes: {
    "/**": [
      "./lib/server/**",
      "./app/fonts/NOTICE.md",
      "./prisma/migrations/**",
      "./prisma/schema.prisma",
      "./node_modules/@electric-sql/pglite/dist/**",
      "./node_modules/@prisma/schema-engine-wasm/**",
      "./node_modules/piscina/dist/**",
      "./node_modules/{ipaddr.js,sirv,@polka/url,mrmime,totalist}/**",
    ],
  },
};

export default config;
