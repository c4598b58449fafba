import { invalid } from "../../platform/api-error";

const FORM = /^(\d{1,6})\.(.+)$/;

/** A place in the log, and how many of the selection lie behind it. */
export const encodeReplayCursor = (left: number, cursor: string): string => `${left}.${cursor}`;

export function decodeReplayCursor(text: string): { left: number; cursor: string } {
  const [, left, cursor] = FORM.exec(text) ?? [];
  if (left === undefined || cursor === undefined)
    throw invalid([{ path: ["cursor"], message: "is not a cursor of a replay", code: "invalid_cursor" }]);
  return { left: Number(left), cursor };
}
