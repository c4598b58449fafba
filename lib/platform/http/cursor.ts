import { invalid } from "../api-error";

/** Where a list ordered by time and id stopped: the last record shown. */
export type Position = readonly [createdAt: Date, id: string];

const FORM = /^(\d{1,14})~([\w-]{1,100})$/;

/** Opaque text for `next_cursor`. */
export const encodeCursor = ([createdAt, id]: Position): string =>
  Buffer.from(`${createdAt.getTime()}~${id}`).toString("base64url");

/** The position that a `cursor` names; 400 for a text that no answer carried. `isId` tells the ids of the list. */
export function decodeCursor(text: string, isId: (id: string) => boolean = () => true): Position {
  const [, milliseconds, id] = FORM.exec(Buffer.from(text, "base64url").toString("utf8")) ?? [];
  if (id === undefined || !isId(id)) {
    throw invalid([{ path: ["cursor"], message: "is not a cursor of this list", code: "invalid_cursor" }]);
  }
  return [new Date(Number(milliseconds)), id];
}
