import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sourceOf } from "../../../testing/source-of-form";
import { LOOK_ALIKES } from "./look-alikes";
import { plainForm, unaccented } from "./plain-form";
import { edited, Edits, identity } from "./text-form";

describe("plainForm", () => {
  it.each([
    ["full-width letters and digits", "a ＰＲＯＪ－４２ b", "PROJ-42", "ＰＲＯＪ－４２"],
    ["zero-width characters", "a PR\u200bOJ\u2060-42\u200b b", "PROJ-42", "PR\u200bOJ\u2060-42"],
    ["soft hyphens", "PROJ\u00ad-42", "PROJ-42", "PROJ\u00ad-42"],
    ["marks of direction", "\u202ePROJ\u200f-42\u202c", "PROJ-42", "PROJ\u200f-42"],
    ["control characters", "PRO\0J-4\x7f2", "PROJ-42", "PRO\0J-4\x7f2"],
    ["nested escapes", "PROJ&amp;#45;42 %2550", "PROJ-42 P", "PROJ&amp;#45;42 %2550"],
    ["Cyrillic look-alikes", "x РROЈ-42", "PROJ-42", "РROЈ-42"],
    ["a word of look-alikes", "x ТОРАСЕ y", "TOPACE", "ТОРАСЕ"],
    ["look-alikes between digits", "key_16С7А2", "key_16C7A2", "key_16С7А2"],
    ["enclosed digits", "x ❹➀⓵⓿🄋➋ y", "411002", "❹➀⓵⓿🄋➋"],
    ["Arabic digits", "x ٤١١١ y", "4111", "٤١١١"],
    ["Devanagari digits", "x ४१११ y", "4111", "४१११"],
    ["mathematical letters", "𝐏𝐑𝐎𝐉-𝟒𝟐", "PROJ-42", "𝐏𝐑𝐎𝐉-𝟒𝟐"],
    ["struck digits", "4\u03361\u03361", "411", "4\u03361\u03361"],
    ["keycaps", "4\ufe0f\u20e31\ufe0f\u20e3", "41", "4\ufe0f\u20e31\ufe0f\u20e3"],
    ["struck digits and spaces", "4\u0336 \u03361\u0336", "4 1", "4\u0336 \u03361\u0336"],
    ["tag characters", "PR\u{e0050}OJ-4\u{e007f}2", "PROJ-42", "PR\u{e0050}OJ-4\u{e007f}2"],
    ["lone surrogates and noncharacters", "PR\ud800OJ-\ufffe42", "PROJ-42", "PR\ud800OJ-\ufffe42"],
    ["colours of terminals", "\u001b[31mPR\u001b[0mOJ-42\u001b[0m", "PROJ-42", "PR\u001b[0mOJ-42"],
    ["escaped colours of terminals", "x \\x1b[1;31mPROJ\\033[0m-42\\e[0m", "PROJ-42", "PROJ\\033[0m-42"],
    ["line separators", "PROJ\u202842", "PROJ\n42", "PROJ\u202842"],
    ["dashes within a value", "PROJ–42", "PROJ-42", "PROJ–42"],
    ["spaces of other widths", "a\u00a0b\u3000c", "a b c", "a\u00a0b\u3000c"],
  ])("folds %s and maps them back", (_, text, plain, expected) => {
    expect(sourceOf(text, plainForm(text), plain)).toBe(expected);
  });

  it.each([
    "plain text, 100% of it: a & b; R&D; \\n",
    'print("a\\n")\\n  b\\n\\n',
    "Größe, naïve, Šárka, Đỗ — “quoted” … ½ ™",
    "emoji 👩‍👩‍👧 ❤️ 👍🏽 🏳️‍🌈",
    "Привет, мир. как дела?",
    "дом 15А, 2_а",
    "日本語の文章です。",
    "مرحبا بالعالم",
  ])("leaves %j as it is", (text) => expect(plainForm(text).text).toBe(text));

  it("spans cover whole characters within the text, in order", () => {
    const unit = fc.constantFrom(
      "a",
      "1",
      " ",
      "\u200b",
      "Ａ",
      "&#64;",
      "%41",
      "%E2%80%8B",
      "\\u0041",
      "ﬃ",
      "😀",
      "❤️",
      "е",
      "́",
      "…",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), fc.nat(), fc.nat(), (units, a, b) => {
        const text = units.join("");
        const form = plainForm(text);
        const [start, end] = [a % (form.text.length + 1), b % (form.text.length + 1)].toSorted((x, y) => x - y) as [
          number,
          number,
        ];
        const span = form.span(start, end);
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

it("maps an edited text's spans to the original", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.option(fc.string({ maxLength: 3 }))), { maxLength: 6 }),
      (parts) => {
        let text = "";
        const edits = parts.flatMap(([source, replacement]) => {
          const start = text.length;
          text += source;
          return replacement === null || source === "" ? [] : [{ start, end: text.length, text: replacement }];
        });
        const list = new Edits();
        for (const { start, end, text: by } of edits) list.add(start, end, by);
        const form = edited(text, list);
        const isWhole = ({ start, end }: { start: number; end: number }) =>
          edits.every((edit) => (start <= edit.start || start >= edit.end) && (end <= edit.start || end >= edit.end));
        for (let place = 0; place < form.text.length; place += 1) {
          const span = form.span(place, place + 1);
          expect(isWhole(span)).toBe(true);
          const edit = edits.find(({ start, end }) => start === span.start && end === span.end);
          if (!edit) expect(text.slice(span.start, span.end)).toBe(form.text[place]);
        }
        expect(form.text.length === 0 || form.span(0, form.text.length).end <= text.length).toBe(true);
      },
    ),
  );
});

it("removes accents", () => expect(unaccented(identity("Größe, Đỗ, e\u0301")).text).toBe("Große, Đo, e"));

it("pairs each look-alike with a Latin letter", () => {
  for (const [foreign, latin] of LOOK_ALIKES) {
    expect(foreign, foreign).toMatch(/^[^\0-\x7f]$/u);
    expect(latin, foreign).toMatch(/^[A-Za-z]$/);
  }
});
