// Runs the Prisma CLI without Studio, its development server and the drivers they use. package.json replaces those by an
// empty package: they are a tenth of an installation, and the CLI loads them even to generate a client.
import Module, { createRequire } from "node:module";

const ABSENT = /^(@prisma\/(studio-core|dev)|mysql2|postgres)(\/|$)/;

/** @type {{ _load: (request: string, ...rest: unknown[]) => unknown }} */
// @ts-expect-error -- Node.js 20 has no documented hook for require().
const loader = Module;
const load = loader._load;
loader._load = (request, ...rest) => (ABSENT.test(request) ? {} : load(request, ...rest));

createRequire(import.meta.url)("prisma/build/index.js");
