import { describe, expect, it } from "vitest";
import { BUILTIN_SLUGS } from "./vocabulary";
import { accuracyOf, sentencesOf } from "../../testing/filter-accuracy";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { compilePatterns } from "./pattern-set";
import { searchIn } from "./search";

const PATTERN = "PROJECT-FALCON";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([PATTERN, "top secret"]) };
const never = () => undefined;
const found = (text: string, pattern = PATTERN) =>
  searchIn(text, finders, never)({ kind: "pattern", pattern }).map(({ start, end }) => text.slice(start, end));
const builtin = (slug: (typeof BUILTIN_SLUGS)[number], text: string) => [
  ...searchIn(text, finders, never)({ kind: "builtin", slug }),
];
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a pattern", () => {
  it.each([
    ["PROJECT-FALCON", "as it is"],
    ["ＰＲＯＪＥＣＴ－ＦＡＬＣＯＮ", "full-width"],
    ["PROJECT\u200b-\u200bFALCON", "with zero-width spaces"],
    ["PRO\u00adJECT-FAL\u00adCON", "with soft hyphens"],
    ["PROJECT-FАLСON", "with look-alikes"],
    ["PROJECT&#45;FALCON", "with an HTML entity"],
    ["PROJECT%2DFALCON", "percent-encoded"],
    ["\\u0050ROJECT-FALCON", "with a JSON escape"],
    ["PROJECT-**FALCON", "with Markdown"],
    ["PROJECT`-`FALCON", "in code spans"],
    ["PROJECT\\-FALCON", "with a Markdown escape"],
    ["PROJECT<b>-FALCON", "with HTML"],
    ["PROJECT<!-- -->-FALCON", "with a comment"],
    ["PROJECT-\nFALCON", "over two lines"],
    ["PROJECT-FAL\r\n  CON", "cut by a line break"],
    ["PROJECT-\n\n> FALCON", "over two paragraphs"],
    [base64("the PROJECT-FALCON"), "in base64"],
    [base64(base64("the PROJECT-FALCON")), "in base64 twice"],
    [Buffer.from("PROJECT-FALCON").toString("hex"), "in hexadecimal"],
    ["PROJECT–FALCON", "with a dash"],
    ["𝐏𝐑𝐎𝐉𝐄𝐂𝐓-𝐅𝐀𝐋𝐂𝐎𝐍", "in bold letters"],
  ])("finds %j, %s", (text) => {
    expect(found(`see ${text} now`)).toEqual([text]);
  });

  it("finds words in Markdown and over a line break", () => {
    expect(found("a **top** _secret_ b", "top secret")).toEqual(["top** _secret"]);
    expect(found("it is top\nsecret.", "top secret")).toEqual(["top\nsecret"]);
  });

  it("finds words in a short word of base64", () => {
    expect(found("see dG9wIHNlY3JldA now", "top secret")).toEqual(["dG9wIHNlY3JldA"]);
  });

  it("reports a match of several readings once", () => {
    expect(found("PROJECT-FALCON … PROJECT-FALCON\u00a0PROJECT\u00ad-FALCON")).toEqual([
      "PROJECT-FALCON",
      "PROJECT-FALCON",
      "PROJECT\u00ad-FALCON",
    ]);
  });
});

it.each([
  ["email", "ann@\nexample.com"],
  ["email", "ann**@**example.com"],
  ["email", "ann&commat;example&period;com"],
  ["credit-card", "4111 1111\n1111 1111"],
  ["credit-card", "4111 **1111** 1111 1111"],
  ["ssn", "219-09-\n9999"],
  ["phone", "+1 415\n555 2671"],
  ["ip-address", "192.168.\n10.20"],
] as const)("%s is found in %j", (slug, text) => {
  expect(builtin(slug, `my data: ${text}.`)).toEqual([{ start: 9, end: 9 + text.length }]);
});

describe("a value in a JSON text within a text", () => {
  const VALUES = [
    ["email", "ann@example.com"],
    ["phone", "+1 415 555 2671"],
    ["ssn", "219-09-9999"],
    ["credit-card", "4111 1111 1111 1111"],
    ["ip-address", "192.168.10.20"],
    ["secrets", "ghp_4pT9xKv2LmQ8wZ6rB1nY7cD3sF5hJ0aGeUiO"],
  ] as const;
  const CONTEXTS = ["\\n", "\\t", "\\r\\n", "\\\\n", "\\u000a", "%0A", "\\u001b[31m"];

  it.each(VALUES.flatMap(([slug, value]) => CONTEXTS.map((before) => [slug, value, before] as const)))(
    "%s %j is found behind %j, which remains",
    (slug, value, before) => {
      const text = `{"out":"Data:${before}${value}${before}"}`;
      const [match, ...others] = builtin(slug, text);
      expect(others).toEqual([]);
      // An address may begin with the end of a colour, whose brackets remain.
      const isCut = slug === "email" && before.endsWith("m");
      if (!isCut) expect(match?.start).toBe(text.indexOf(value));
      expect(match?.end).toBe(text.indexOf(value) + value.length);
      expect(() => JSON.parse(text.slice(0, match?.start) + text.slice(match?.end)) as unknown).not.toThrow();
    },
  );

  it.each([1, 2, 3])("a labelled value is found %i strings deep", (depth) => {
    let text = '{"api_key":"k3J9sLq0ZxPw82mNvB71"}';
    for (let at = 1; at < depth; at += 1) text = JSON.stringify({ text });
    expect(builtin("secrets", text).map(({ start, end }) => text.slice(start, end))).toEqual(["k3J9sLq0ZxPw82mNvB71"]);
  });

  it("a password in a URL with escaped slashes is found", () => {
    const text = "postgres:\\/\\/bob:s3cr3tPass9@db.example\\/x";
    expect(builtin("secrets", text).map(({ start, end }) => text.slice(start, end))).toEqual(["s3cr3tPass9"]);
  });
});

it("a value is found with and without tag characters in it", () => {
  const text = "a PRO\u{e0058}JECT-FALCON b \u{e0050}ROJECT-FALCON c";
  expect(found(text)).toEqual(["PRO\u{e0058}JECT-FALCON", "\u{e0050}ROJECT-FALCON"]);
});

it("a value that is complete on its line isn't continued by the next", () => {
  expect(builtin("email", "ann@example.com\nCard")).toEqual([{ start: 0, end: 15 }]);
});

const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const zeroWidth = (text: string) => Array.from(text).join("\u200b");
const PERSONAL = BUILTIN_SLUGS.filter((slug) => slug !== "regex-prompt-injection");

describe.each(PERSONAL)("%s", (slug) => {
  it.each([
    ["full-width", fullWidth],
    ["zero-width", zeroWidth],
  ])("is found in %s characters as well as in plain ones", async (_, disguise) => {
    const sentences = (["tuning", "held-out"] as const).flatMap((half) => sentencesOf(slug, half));
    const disguised = sentences.map(({ text, spans }) => {
      let disguisedText = "";
      let past = 0;
      const places = spans.map(({ start, end }) => {
        disguisedText += text.slice(past, start);
        const from = disguisedText.length;
        disguisedText += disguise(text.slice(start, end));
        past = end;
        return { start: from, end: disguisedText.length };
      });
      return { text: disguisedText + text.slice(past), spans: places };
    });
    const plain = await accuracyOf(sentences, BUILTIN_DETECTORS[slug], false);
    const hidden = await accuracyOf(disguised, (text) => builtin(slug, text), false);
    expect(hidden.recall).toBeGreaterThanOrEqual(plain.recall - 0.01);
    expect(hidden.precision).toBeGreaterThanOrEqual(plain.precision - 0.015);
  });

  it("has no further false positives", async () => {
    const sentences = (["tuning", "held-out"] as const).flatMap((half) => sentencesOf(slug, half));
    /** Matches that touch none of the labels. */
    const wrongOf = (detect: (text: string) => readonly { start: number; end: number }[]) =>
      sentences.flatMap(({ text, spans }) =>
        detect(text)
          .filter((match) => !spans.some(({ start, end }) => start < match.end && end > match.start))
          .map(({ start, end }) => [text, text.slice(start, end)]),
      );
    const plain = wrongOf(BUILTIN_DETECTORS[slug]).map(String);
    expect(wrongOf((text) => builtin(slug, text)).filter((wrong) => !plain.includes(String(wrong)))).toEqual([]);
  });
});
