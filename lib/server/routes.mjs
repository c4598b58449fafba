// Loads the handlers of app/**/route.ts: from the build's bundle, or in development as compiled by Next on demand.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { builtFile } from "../platform/build-folder.mjs";

/**
 * @typedef {(request: import("../platform/http/api-request").ApiRequest, route: {params: Record<string, string>}) => Promise<Response>} Handler
 * @typedef {Partial<Record<string, Handler>>} Handlers by method
 * @typedef {{segments: string[], handlers: () => Handlers | Promise<Handlers>}} Route
 */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Path of the bundle in the build. */
export const ROUTES_FILE = "routes.mjs";

/** Lists the route files of the source tree, each with the segments of its path. @param {string} root */
export const routeFiles = (root) =>
  readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(`${sep}route.ts`))
    .sort()
    .map((path) => ({ path, segments: dirname(path).split(sep) }));

/** @param {Handlers} exported everything that a route file exports @returns {Handlers} */
const handlersOf = (exported) =>
  Object.fromEntries(METHODS.flatMap((method) => (exported[method] ? [[method, exported[method]]] : [])));

/**
 * Routes of the build, all loaded, and its check of the settings: `check-settings.ts`.
 * @returns {Promise<{routes: Route[], checkSettings: typeof import("./check-settings").checkSettings}>}
 */
export async function builtRoutes() {
  /** @type {{routes: {segments: string[], handlers: Handlers}[], checkSettings: typeof import("./check-settings").checkSettings}} */
  const { routes, checkSettings } = await import(pathToFileURL(builtFile(ROUTES_FILE)).href);
  const all = routes.map(({ segments, handlers: exported }) => {
    const handlers = handlersOf(exported);
    return { segments, handlers: () => handlers };
  });
  return { routes: all, checkSettings };
}

/**
 * Routes of the source tree, each compiled when it is called and again after a change.
 * @param {string} root @param {(path: string) => Promise<unknown>} compile asks Next for a path, so that it compiles the route
 * @returns {Route[]}
 */
export function sourceRoutes(root, compile) {
  const require = createRequire(join(root, "package.json"));
  return routeFiles(root).map(({ segments }) => ({
    segments,
    handlers: async () => {
      await compile(`/${segments.join("/")}`);
      const { routeModule } = require(join(root, ".next/dev/server/app", ...segments, "route.js"));
      await routeModule.ensureUserland();
      return handlersOf(routeModule.userland);
    },
  }));
}
