// Bundles app/**/route.ts into the one file that the server loads (docs/decisions/0002-operations-are-plain-functions.md): their place
// and loading in a build of Next are internal to it.
import { EXTERNAL_PACKAGES } from "./external-packages.mjs";
import { routeFiles, ROUTES_FILE } from "./routes.mjs";
import { root, writeBundle } from "./write-bundle.mjs";

/** @param {string} folder of the build */
export function bundleRoutes(folder) {
  const files = routeFiles(root);
  const entry = [
    ...files.map(({ path }, index) => `import * as route${index} from ${JSON.stringify(`./app/${path}`)};`),
    'export { checkSettings } from "./lib/server/check-settings";',
    "export const routes = [",
    ...files.map(({ segments }, index) => `{segments: ${JSON.stringify(segments)}, handlers: route${index}},`),
    "];",
  ];
  /** @type {import("esbuild").BuildOptions} */
  const options = {
    stdin: { contents: entry.join("\n"), resolveDir: root },
    external: EXTERNAL_PACKAGES,
    // For CommonJS packages in the bundle.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module";\nconst require = requireFrom(import.meta.url);',
    },
  };
  writeBundle(ROUTES_FILE, options, folder);
}
