import "server-only";
import { Prisma } from "../../../prisma/generated/client";

/** A wire value for a JSON column: null becomes a database null, absent stays absent. Wire values hold only JSON. */
export const json = (value: unknown) => (value === null ? Prisma.DbNull : (value as Prisma.InputJsonValue | undefined));
