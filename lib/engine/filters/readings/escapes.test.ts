import { expect, it } from "vitest";
import { sourceOf } from "../../../testing/source-of-form";
import { unescapedForm } from "./escapes";

it.each([
  ["decimal HTML entities", "x PROJ&#45;4&#50", "PROJ-42", "PROJ&#45;4&#50"],
  ["hexadecimal HTML entities", "x &#x50;ROJ-42", "PROJ-42", "&#x50;ROJ-42"],
  ["percent encoding", "x P%52OJ%2D42 y", "PROJ-42", "P%52OJ%2D42"],
  ["percent encoding of several bytes", "x PR%E2%80%8BOJ-42", "PR\u200bOJ-42", "PR%E2%80%8BOJ-42"],
  ["backslash escapes", "\\u0050R\\x4fJ-\\u{34}2", "PROJ-42", "\\u0050R\\x4fJ-\\u{34}2"],
  ["escaped line breaks", "id:\\nPROJ-42\\n", "\nPROJ-42", "\\nPROJ-42"],
  ["escaped tabs of nested strings", "id:\\\\\\tPROJ-42", "\tPROJ-42", "\\\\\\tPROJ-42"],
  ["escaped quotes and slashes", 'x \\"PROJ\\/42\\\\\\"', '"PROJ/42"', '\\"PROJ\\/42\\\\\\"'],
  [
    "named HTML entities",
    "ann&commat;example&period;com &lt;b&gt;",
    "ann@example.com <b>",
    "ann&commat;example&period;com &lt;b&gt;",
  ],
])("decodes %s and maps them back", (_, text, plain, expected) =>
  expect(sourceOf(text, unescapedForm(text), plain)).toBe(expected),
);
