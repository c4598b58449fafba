import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "../../testing/filter-accuracy";
import { nationalAddresses } from "../../testing/national-addresses";
import { BUILTIN_SLUGS } from "./vocabulary";
import { cases } from "../../testing/random";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { compilePatterns } from "./pattern-set";
import { reachOf, ruleReach } from "./reach";
import { patternsOf, scan, type ScanRule } from "./scan";
import { StreamWindow, type WindowMatch } from "./stream-window";

const redacting = (detector: ScanRule["detector"]): ScanRule => ({
  detector,
  action: "redact",
  label: `[${detector.kind === "builtin" ? detector.slug : "X"}]`,
  scanScope: "all_messages",
});
const builtins = (...slugs: (typeof BUILTIN_SLUGS)[number][]) =>
  slugs.map((slug) => redacting({ kind: "builtin", slug }));
const patterns = (...sources: string[]) => sources.map((pattern) => redacting({ kind: "pattern", pattern }));

interface Match extends WindowMatch {
  rule: number;
}

function finder(rules: readonly ScanRule[], phrases: readonly string[] = []) {
  const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns(patternsOf(rules)) };
  let scanned = 0;
  return {
    scanned: () => scanned,
    find: (text: string): { matches: Match[]; redacted: string } => {
      scanned += text.length;
      const leaf = { text, isUser: true, form: "text" as const };
      const result = scan(rules, [leaf], finders, () => undefined, phrases, Infinity);
      const matches = result.findings.flatMap(({ rule, phrase, spans }) =>
        spans.map(({ start, end }) => ({
          rule,
          start,
          end,
          replacement: phrase === null ? (rules[rule] ?? null) : null,
        })),
      );
      return { matches, redacted: result.redacted[0]?.text ?? text };
    },
  };
}

/** Streams a text in chunks of the given lengths, repeated. */
function stream(rules: readonly ScanRule[], text: string, sizes: readonly number[], phrases: readonly string[] = []) {
  const { find, scanned } = finder(rules, phrases);
  const window = new StreamWindow(reachOf(rules, phrases));
  const matches: Match[] = [];
  let released = "";
  let held = 0;
  const drain = (isEnd: boolean) => {
    for (let slice = window.slice(isEnd); slice; slice = window.slice(isEnd)) {
      const { offset } = slice;
      const found = find(slice.text).matches.map((one) => ({
        ...one,
        start: one.start + offset,
        end: one.end + offset,
      }));
      const settled = window.settle(slice, found, isEnd);
      released += settled.text;
      matches.push(...settled.matches);
    }
    held = Math.max(held, window.held);
  };
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    window.push(text.slice(at, at + size));
    at += size;
    drain(false);
  }
  drain(true);
  return { released, matches: placesOf(matches), held, scanned: scanned() };
}

const placesOf = (matches: readonly Match[]) =>
  matches.map(({ rule, start, end }) => `${rule} ${start}-${end}`).toSorted();

const corpus = (slug: (typeof BUILTIN_SLUGS)[number]) => sentencesOf(slug, "tuning").map(({ text }) => text);

const BOUNDED = BUILTIN_SLUGS.filter((slug) => slug !== "regex-prompt-injection");
const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 8 });

describe("StreamWindow", () => {
  const addresses = nationalAddresses("tuning").flatMap(([, list]) => list);
  const sentences = [
    ...BOUNDED.flatMap((slug) => corpus(slug)),
    ...addresses.flatMap((address) => [address, address.replaceAll(",", "").toLowerCase()]),
    "030 1234567",
    "0171/1234567",
    "512 345 678,",
    "01 23 45 67 89 x12",
    "612 345 678,00 zł",
  ];
  const prose = fc
    .array(fc.tuple(fc.constantFrom(...sentences), fc.constantFrom("\n", " ", "\n\n")), {
      minLength: 1,
      maxLength: 80,
      size: "max",
    })
    .map((parts) => parts.map((part) => part.join("")).join(""));

  it("finds and releases the same as a scan of the whole text, in any chunks", () => {
    const rules = builtins(...BOUNDED);
    const { find } = finder(rules);
    fc.assert(
      fc.property(prose, sizes, (text, chunks) => {
        const whole = find(text);
        const { released, matches } = stream(rules, text, chunks);
        expect(released).toBe(whole.redacted);
        expect(matches).toEqual(placesOf(whole.matches));
      }),
      { numRuns: cases(60) },
    );
  });

  it("does so for each detector on its own, whose reach is shorter", () => {
    const regional = redacting({ kind: "builtin", slug: "phone", regions: ["DE", "FR", "PL"] });
    for (const rules of [...BOUNDED.map((slug) => builtins(slug)), [regional]]) {
      const { find } = finder(rules);
      fc.assert(
        fc.property(prose, sizes, (text, chunks) => {
          expect(stream(rules, text, chunks).released).toBe(find(text).redacted);
        }),
        { numRuns: 8 },
      );
    }
  });

  const character = fc.constantFrom("a", "b", "1", "2", " ", "-", "\n", "é", "😀", "\u200b", "X", "&#49;", "**", "%31");
  const anyText = fc.string({ unit: character, maxLength: 1500 });

  it("does so for bounded patterns on any text", () => {
    const rules = patterns("[0-9]{2}", "a(?:b|1){0,3}b", "\\bX", "X$", "^a", "(?i)x.a", "😀{1,3}");
    const { find } = finder(rules);
    fc.assert(
      fc.property(anyText, sizes, (text, chunks) => {
        const whole = find(text);
        const { released, matches } = stream(rules, text, chunks);
        expect(released).toBe(whole.redacted);
        expect(matches).toEqual(placesOf(whole.matches));
      }),
      { numRuns: cases(100) },
    );
  });

  it("does so with allowed phrases", () => {
    const rules = patterns("[0-9]{2}");
    const { find } = finder(rules, ["a12b"]);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("12", "a12b", " ", "filler "), { maxLength: 200 }),
        sizes,
        (parts, chunks) => {
          const text = parts.join("");
          expect(stream(rules, text, chunks, ["a12b"]).released).toBe(find(text).redacted);
        },
      ),
    );
  });

  it("releases a value never in part, wherever the chunks split it", () => {
    const card = "4111 1111 1111 1111";
    const text = `${"filler ".repeat(40)}${card}${" filler".repeat(40)}`;
    for (let split = 270; split < 310; split += 1) {
      const { released } = stream(builtins("credit-card"), text, [split, 1000]);
      expect(released).toBe(text.replace(card, "[credit-card]"));
    }
  });

  const disguises: [string, (value: string) => string][] = [
    ["full-width", (value) => value.replace(/[!-~]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) + 0xfee0))],
    ["zero-width", (value) => Array.from(value).join("\u200b\u200b\u200b")],
    ["HTML entities", (value) => value.replace(/[^ ]/g, (unit) => `&#${unit.charCodeAt(0)};`)],
    ["percent-encoded", (value) => value.replace(/[^ ]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`)],
    ["Markdown", (value) => value.replace(/ /g, " **")],
    ["markup", (value) => value.replace(/ /g, ` <span class="${"long ".repeat(12)}">`)],
    ["line breaks", (value) => value.replace(/ /g, "\n  ")],
    ["base64", (value) => Buffer.from(`the card is ${value}, take it`).toString("base64")],
  ];
  it.each(disguises)("finds a value in disguise: %s", (_, disguise) => {
    const rules = builtins("credit-card");
    const value = disguise("4111 1111 1111 1111");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700 }), sizes, (place, chunks) => {
        const text = `${"It reads: ".repeat(80).slice(-place)} ${value} ${"and goes on. ".repeat(80)}`;
        const { released } = stream(rules, text, chunks);
        expect(released).toBe(finder(rules).find(text).redacted);
        expect(released).toContain("[credit-card]");
      }),
      { numRuns: cases(20) },
    );
  });

  it("holds a text back to its end for a match without a maximum length", () => {
    const text = `BEGIN${" filler".repeat(500)} END`;
    const { released, held } = stream(patterns("BEGIN[a-z ]*END"), text, [100]);
    expect({ released, held }).toEqual({ released: "[X]", held: text.length });
    expect(reachOf(patterns("\\+[0-9]{3}")).after).toBeLessThan(100);
  });

  const line = (side: string) => ["-----", side, " RSA PRIVATE KEY-----"].join("");
  const base64 = (length: number) => "q7Rz2kWm9Xc4Vb6Nt1Lp8Sd3Fg5Hj0/+".repeat(1 + length / 32).slice(0, length);
  const pem = (lines: number) => Array.from({ length: lines }, () => base64(64)).join("\n");
  const percent = (text: string) => text.replaceAll(/[^\s]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  const secret = fc.constantFrom(
    `${line("BEGIN")}\n${pem(26)}\n${line("END")}`,
    `${line("BEGIN")}\n${pem(100)}\n${line("END")}`,
    `${line("BEGIN")}\n${pem(100)}`,
    `${line("BEGIN")}\n${pem(3)}\n(((note)))\n${pem(3)}\n${line("END")}`,
    `${line("BEGIN")}\n`,
    line("END"),
    ["eyJhbGciOiJIUzI1NiJ9", base64(1900).replaceAll(/[/+]/g, "_"), base64(43).replaceAll(/[/+]/g, "-")].join("."),
    percent(["eyJhbGciOiJIUzI1NiJ9", "Zm9vYmFy".repeat(150), "c2lnbmF0dXJl".repeat(4)].join(".")),
    percent(`${line("BEGIN")}\n${pem(30)}\n${line("END")}`),
    `eyJhbGciOiJIUzI1NiJ9.${base64(300).replaceAll(/[/+]/g, "_")}`,
    `https://user:${base64(150).replaceAll(/[/+]/g, "_")}@host.example`,
    `ghp_${base64(36).replaceAll(/[/+]/g, "a")}`,
    "The key is in the vault, ask the owner. ".repeat(12),
    "(nothing) ",
  );

  it("finds secrets of any length in any chunks", () => {
    const rules = builtins("secrets");
    const { find } = finder(rules);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(secret, fc.constantFrom(" ", "\n", "\n\n")), { minLength: 1, maxLength: 8 }),
        sizes,
        (parts, chunks) => {
          const text = parts.flat().join("");
          const { released } = stream(rules, text, chunks);
          expect(released).toBe(find(text).redacted);
        },
      ),
      { numRuns: cases(60) },
    );
  });

  it("redacts a private key of any length up to its end, and holds back little without one", () => {
    const rules = builtins("secrets");
    const prose = "The key is in the vault, ask the owner. ".repeat(500);
    for (const lines of [26, 60, 1000]) {
      const { released } = stream(rules, `${prose}${line("BEGIN")}\n${pem(lines)}\n${line("END")}\n${prose}`, [7]);
      expect(released).toBe(`${prose}[secrets]\n${prose}`);
    }
    expect(stream(rules, prose, [7]).held).toBeLessThan(640 + 1024 + 10);
  });

  it("holds back a bounded part, and scans in linear time", () => {
    const text = "Nothing to see here, just words. ".repeat(3000);
    const rules = builtins("email", "credit-card");
    const { released, held, scanned } = stream(rules, text, [7]);
    expect(released).toBe(text);
    expect(held).toBeLessThan(460 + 1024 + 10);
    expect(scanned).toBeLessThan(4 * text.length);
    const names = "Anna Maria ".repeat(4000);
    expect(stream(builtins("person-name"), names, [7]).scanned).toBeLessThan(8 * names.length);
  });
});

describe("the reach of a detector", () => {
  // Long secrets are held from their beginning on.
  it.each(BOUNDED.filter((slug) => slug !== "secrets"))("exceeds the matches of %s in its corpus", (slug) => {
    const longest = Math.max(
      ...corpus(slug).flatMap((text) => BUILTIN_DETECTORS[slug](text).map(({ start, end }) => end - start)),
    );
    expect(2 * longest).toBeLessThanOrEqual(ruleReach({ detector: { kind: "builtin", slug } }));
  });
});
