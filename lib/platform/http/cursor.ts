import { invalid } from "../api-error";

/** The last record of a page in a list sorted by time and id. */
export type Position = readonly [createdAt: Date, id: string];

const FORM = /^(\d{1,14})~([\w-]{1,100})$/;

/** Encodes a position as an opaque `next_cursor`. */
export const encodeCursor = ([createdAt, id]: Position): string =>
  Buffer.from(`${createdAt.getTime()}~${id}`).toString("base64url");

/** Decodes a `cursor`; 400 when malformed. `isId` validates the ids of the list. */
export function decodeCursor(text: string, isId: (id: string) => boolean = () => true): Position {
  const [, milliseconds, id] = FORM.exec(Buffer.from(text, "base64url").toString("utf8")) ?? [];
  if (id === undefined || !isId(id)) {
    throw invalid([
      {
        path: ["cursor"],
        message: "is not a valid cursor: send `next_cursor` of the previous response",
        code: "invalid_cursor",
      },
    ]);
  }
  return [new Date(Number(milliseconds)), id];
}
