import type { StreamParser } from "@codemirror/language";

const TOKENS: readonly [RegExp, string][] = [
  [/\\[pP]\{[^}]*\}|\\[dDwWsSbB]/, "atom"],
  [/\\./, "string"],
  [/\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/, "number"],
  [/\(\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+\)|<?[=!])|[()]/, "keyword"],
  [/\{\d+(?:,\d*)?\}\??|[*+?]\??/, "keyword"],
  [/[|^$.]/, "keyword"],
];

/** Basic highlighting of regular expressions. */
export const regexSyntax: StreamParser<null> = {
  token: (stream) => {
    for (const [pattern, style] of TOKENS) if (stream.match(pattern)) return style;
    stream.next();
    return null;
  },
};
