import { invalid } from "../../platform/api-error";

const FORM = /^(\d{1,6})\.(.+)$/;

/** Encodes a position in the log with the number of selected generations after it. */
export const encodeReplayCursor = (left: number, cursor: string): string => `${left}.${cursor}`;

export function decodeReplayCursor(text: string): { left: number; cursor: string } {
  const [, left, cursor] = FORM.exec(text) ?? [];
  if (left === undefined || cursor === undefined)
    throw invalid([
      {
        path: ["cursor"],
        message: "is not a valid cursor: send `next_cursor` of the previous response",
        code: "invalid_cursor",
      },
    ]);
  return { left: Number(left), cursor };
}
