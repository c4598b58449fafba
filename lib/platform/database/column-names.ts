import "server-only";
import { Prisma } from "../../../prisma/generated/client";

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** `created_at` → `createdAt`. */
export const toCamel = <Name extends string>(name: Name) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The select list that reads rows as the client names their columns. */
export const selectList = (table: string, fields: Readonly<Record<string, string>>) =>
  Prisma.raw(
    Object.values(fields)
      .map((field) => `${table}.${toSnake(field)} AS "${field}"`)
      .join(", "),
  );
