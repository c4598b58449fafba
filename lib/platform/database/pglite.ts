import "server-only";

/** Loads the packages of the embedded database, 10 MB that a process on PostgreSQL does without. */
export async function loadPGlite() {
  const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
    import("@electric-sql/pglite"),
    import("pglite-prisma-adapter"),
  ]);
  return { PGlite, PrismaPGlite };
}
