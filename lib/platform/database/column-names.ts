import "server-only";
import { Prisma } from "../../../prisma/generated/client";

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Converts `created_at` to `createdAt`. */
export const toCamel = <Name extends string>(name: Name) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Builds the select list that returns columns under the client's field names. */
export const selectList = (table: string, fields: Readonly<Record<string, string>>) =>
  Prisma.raw(
    Object.values(fields)
      .map((field) => `${table}.${toSnake(field)} AS "${field}"`)
      .join(", "),
  );
