import "server-only";
import { Prisma } from "../../../prisma/generated/client";

/**
 * Converts a wire value for a JSON column: null becomes a database null, undefined stays undefined. Wire values contain
 * only JSON.
 */
export const json = (value: unknown) => (value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue | undefined));
