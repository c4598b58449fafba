/** A text as Prisma's `contains` and `startsWith` must have it to mean itself: they leave the wildcards of LIKE in force. */
export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");
