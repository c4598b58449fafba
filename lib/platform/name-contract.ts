import { z } from "zod";

/** Controls that change the direction of text: with them, a name can look like another one. */
const DIRECTION_CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const withoutDirections = (text: string): string => text.replace(new RegExp(DIRECTION_CONTROL, "g"), "");

/**
 * A name in the body of a request. Stored names may be older than the rule about directions, so objects that the API
 * returns have `z.string()`.
 */
export const newName = (most: number, least = 1) =>
  z
    .string()
    .trim()
    .min(least)
    .max(most)
    .superRefine((text, context) => {
      const found = DIRECTION_CONTROL.exec(text)?.[0].codePointAt(0);
      if (found === undefined) return;
      const code = `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
      context.addIssue({
        code: "custom",
        message: `must not contain characters that change the text direction (${code})`,
      });
    });
