import { invalid } from "../../platform/api-error";
import { generationSecond } from "../../platform/ids";
import type { GenerationSort } from "./vocabulary";

/** Place of a generation in a sorted log. `value` is null if it is unknown. */
export interface SortedPlace {
  value: bigint | null;
  created_at: Date;
  id: string;
}

const FORM = /^([a-z_]+)~(-?\d{0,18})~(\d{1,14})~([\w-]{1,100})$/;

export const encodeSortCursor = (sort: GenerationSort, { value, created_at, id }: SortedPlace): string =>
  Buffer.from(`${sort}~${value ?? ""}~${created_at.getTime()}~${id}`).toString("base64url");

/** Decodes a cursor; 400 when malformed, or if it is of another order. */
export function decodeSortCursor(sort: GenerationSort, text: string): SortedPlace {
  const [, of, value = "", milliseconds, id = ""] = FORM.exec(Buffer.from(text, "base64url").toString("utf8")) ?? [];
  if (of !== sort || value === "-" || !generationSecond(id))
    throw invalid([
      {
        path: ["cursor"],
        message: "is not a valid cursor: send `next_cursor` of the previous response with the same `sort`",
        code: "invalid_cursor",
      },
    ]);
  return { value: value === "" ? null : BigInt(value), created_at: new Date(Number(milliseconds)), id };
}
