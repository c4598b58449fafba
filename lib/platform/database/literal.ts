/** Escapes LIKE wildcards, which Prisma's `contains` and `startsWith` leave active. */
export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
