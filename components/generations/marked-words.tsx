import { Fragment } from "react";

const SPECIAL = /[.*+?^${}()|[\]\\]/g;

/** Text with the words of a search marked. */
export function MarkedWords({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  const pattern = new RegExp(`(${words.map((word) => word.replace(SPECIAL, String.raw`\$&`)).join("|")})`, "giu");
  return text.split(pattern).map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index} className="rounded-xs bg-warning-subtle text-foreground">
        {part}
      </mark>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
