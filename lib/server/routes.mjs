// Loads route handlers as compiled by Next from app/**/route.ts: from the finished build, or in development on demand.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

/**
 * @typedef {(request: Request, route: {params: Record<string, string>}) => Promise<Response>} Handler
 * @typedef {Partial<Record<string, Handler>>} Handlers by method
 * @typedef {{segments: string[], handlers: () => Handlers | Promise<Handlers>}} Route
 */

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** @param {NodeJS.Require} require @param {string} file a compiled route @returns {Promise<Handlers>} */
async function loadHandlers(require, file) {
  const { routeModule } = require(file);
  await routeModule.ensureUserland();
  const { userland } = routeModule;
  return Object.fromEntries(METHODS.filter((method) => userland[method]).map((method) => [method, userland[method]]));
}

/** Routes of the build, all loaded. @param {string} root the folder that holds the build @returns {Promise<Route[]>} */
export async function builtRoutes(root) {
  const require = createRequire(join(root, "package.json"));
  const server = join(root, ".next/server");
  /** @type {Record<string, string>} */
  const manifest = JSON.parse(readFileSync(join(server, "app-paths-manifest.json"), "utf8"));
  const routes = Object.entries(manifest)
    .filter(([name]) => name.endsWith("/route"))
    .map(async ([name, file]) => {
      const handlers = await loadHandlers(require, join(server, file));
      return { segments: name.split("/").slice(1, -1), handlers: () => handlers };
    });
  return Promise.all(routes);
}

/**
 * Routes of the source tree, each compiled when it is called and again after a change.
 * @param {string} root @param {(path: string) => Promise<unknown>} compile asks Next for a path, so that it compiles the route
 * @returns {Route[]}
 */
export function sourceRoutes(root, compile) {
  const require = createRequire(join(root, "package.json"));
  return readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(`${sep}route.ts`))
    .map((path) => {
      const segments = dirname(path).split(sep);
      return {
        segments,
        handlers: async () => {
          await compile(`/${segments.join("/")}`);
          return loadHandlers(require, join(root, ".next/dev/server/app", ...segments, "route.js"));
        },
      };
    });
}
