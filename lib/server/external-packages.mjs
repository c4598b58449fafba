/** Packages that are loaded from node_modules at run time: they read files of their own, or must exist once in a process. */
export const EXTERNAL_PACKAGES = [
  "@electric-sql/pglite",
  "@node-rs/argon2",
  "@prisma/adapter-pg",
  "@prisma/client",
  "@prisma/driver-adapter-utils",
  "@prisma/schema-engine-wasm",
  "pg",
  "pg-boss",
  "pglite-prisma-adapter",
  "pino",
  "piscina",
  "prom-client",
  "re2js",
  "undici",
];
