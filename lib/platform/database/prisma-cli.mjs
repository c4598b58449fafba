// Runs the Prisma CLI without Studio, its development server and their drivers. package.json replaces those, a tenth of
// an installation, by an empty package, and the CLI loads them even to generate a client.
import Module, { createRequire } from "node:module";

const ABSENT = /^(@prisma\/(studio-core|dev)|mysql2|postgres)(\/|$)/;

/** @type {{ _load: (request: string, ...rest: unknown[]) => unknown }} */
// @ts-expect-error -- Node.js 20 has no documented hook for require().
const loader = Module;
const load = loader._load;
loader._load = (request, ...rest) => (ABSENT.test(request) ? {} : load(request, ...rest));

createRequire(import.meta.url)("prisma/build/index.js");
