import { edited, editsOf, type TextForm } from "./text-form";

const TAG_CHARACTERS = 0xe0000;
const TAG = /[\u{e0020}-\u{e007e}]/gu;

/** Replaces Unicode tag characters, which some models read, by the ASCII that they encode; null without any. */
export const taggedForm = (text: string): TextForm | null =>
  text.includes("\udb40")
    ? edited(
        text,
        editsOf(text, TAG, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - TAG_CHARACTERS)),
      )
    : null;
