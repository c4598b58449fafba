import "server-only";

/** Loads the packages of the embedded database, which a process on PostgreSQL starts without. */
export async function loadPGlite() {
  const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("pglite-prisma-adapter"),
  ]);
  return { PGlite, PrismaPGlite };
}
