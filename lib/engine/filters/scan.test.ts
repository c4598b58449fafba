import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BUILTIN_DETECTORS } from "./builtin-detectors";
import type { Detector } from "./detector";
import { compilePatterns } from "./pattern-set";
import { MAX_SPANS, patternsOf, scan, ScanStop, type ScanLeaf, type ScanRule } from "./scan";

const words =
  (word: string, family?: string): Detector =>
  (text) =>
    [...text.matchAll(new RegExp(word, "g"))].map(({ index }) => ({
      start: index,
      end: index + word.length,
      ...(family ? { family } : {}),
    }));

const builtins: typeof BUILTIN_DETECTORS = {
  "regex-prompt-injection": words("ignore", "override"),
  secrets: words("s3cr3t"),
  email: words("ann@example.com"),
  phone: words("555-0100"),
  ssn: words("219-09-9999"),
  "credit-card": words("4111111111111111"),
  "ip-address": words("10.0.0.1"),
  "person-name": words("Ann"),
  address: words("Main St"),
};
const rule = (
  detector: ScanRule["detector"],
  action: ScanRule["action"],
  label = "[X]",
  scanScope: ScanRule["scanScope"] = "all_messages",
): ScanRule => ({ detector, action, label, scanScope });
const builtin = (
  slug: keyof typeof builtins,
  action: ScanRule["action"],
  label?: string,
  scanScope?: ScanRule["scanScope"],
) => rule({ kind: "builtin", slug }, action, label, scanScope);
const pattern = (source: string, action: ScanRule["action"], label?: string) =>
  rule({ kind: "pattern", pattern: source }, action, label);
const leaf = (text: string, isUser = true, form: ScanLeaf["form"] = "text", turn: number | null = null): ScanLeaf => ({
  text,
  isUser,
  form,
  isFixed: false,
  turn,
});
const run = (rules: readonly ScanRule[], leaves: readonly ScanLeaf[], stop: () => void = () => undefined) =>
  scan(rules, leaves, { builtins, patterns: compilePatterns(patternsOf(rules)) }, stop);

describe("scan", () => {
  it("reports all matches, and replaces those of block and redact", () => {
    const rules = [
      builtin("email", "redact", "[EMAIL]"),
      pattern("PROJ-\\d+", "block", "[TICKET]"),
      builtin("regex-prompt-injection", "flag", "[PROMPT_INJECTION]"),
      pattern("absent", "block"),
    ];
    expect(run(rules, [leaf("nothing"), leaf("ignore PROJ-12 from ann@example.com")])).toEqual({
      findings: [
        { rule: 0, phrase: null, isFixed: false, spans: [{ leaf: 1, start: 20, end: 35 }], families: [] },
        { rule: 1, phrase: null, isFixed: false, spans: [{ leaf: 1, start: 7, end: 14 }], families: [] },
        { rule: 2, phrase: null, isFixed: false, spans: [{ leaf: 1, start: 0, end: 6 }], families: ["override"] },
      ],
      found: 3,
      redacted: [{ leaf: 1, text: "ignore [TICKET] from [EMAIL]" }],
    });
  });

  it("ignores matches entirely inside a phrase, wherever the phrase occurs", () => {
    const rules = [pattern("a+b", "redact", "[AB]")];
    const within = (text: string, ...phrases: string[]) => {
      const { findings, redacted } = scan(
        rules,
        [leaf(text)],
        { builtins, patterns: compilePatterns(patternsOf(rules)) },
        () => undefined,
        phrases,
      );
      return [
        redacted[0]?.text ?? text,
        ...findings.map(({ phrase, spans }) => [phrase, ...spans.map(({ start, end }) => text.slice(start, end))]),
      ];
    };
    expect(within("xabx", "absent", "xab")).toEqual(["xabx", [1, "ab"]]);
    expect(within("xaab ab", "ab")).toEqual(["x[AB] ab", [null, "aab"], [0, "ab"]]);
    expect(within("xaXabaXab", "aXa")).toEqual(["xaX[AB]aX[AB]", [null, "ab", "ab"]]);
    expect(within("abXabXab", "abXab")).toEqual(["abXabXab", [0, "ab", "ab", "ab"]]);
    expect(within("AB ab", "AB")).toEqual(["AB [AB]", [null, "ab"]]);
  });

  it("applies a user-only rule to user messages only, beside an unrestricted rule on the same detector", () => {
    const rules = [builtin("phone", "block", "[U]", "user_only"), builtin("phone", "flag", "[A]")];
    const found = run(rules, [leaf("555-0100", false), leaf("555-0100", true)]).findings;
    expect(found.map(({ rule: index, spans }) => [index, spans.map((span) => span.leaf)])).toEqual([
      [0, [1]],
      [1, [0, 1]],
    ]);
  });

  it("keeps tool arguments valid JSON and otherwise unchanged", () => {
    const json =
      '{ "to":"ann\\u0040example.com", "note": "Ann \\"A\\"", "card":4111111111111111, "big": 12345678901234567890 }';
    const rules = [
      builtin("email", "redact", '["E"]'),
      builtin("credit-card", "redact", "[CARD]"),
      builtin("person-name", "redact", "$&"),
    ];
    const { redacted, findings } = run(rules, [leaf(json, false, "json")]);
    expect(redacted).toEqual([
      { leaf: 0, text: '{ "to":"[\\"E\\"]", "note": "$& \\"A\\"", "card":"[CARD]", "big": 12345678901234567890 }' },
    ]);
    expect(findings.map(({ spans }) => spans.map(({ start, end }) => json.slice(start, end)))).toEqual([
      ["ann\\u0040example.com"],
      ["4111111111111111"],
      ["Ann"],
    ]);
  });

  it("redacts a text file sent as a data URL", () => {
    const url = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString("base64")}`;
    const { redacted, findings } = run([builtin("person-name", "redact", "[N]")], [leaf(url("Hi Ann"), true, "file")]);
    expect(redacted).toEqual([{ leaf: 0, text: url("Hi [N]") }]);
    expect(findings[0]?.spans).toEqual([{ leaf: 0, start: 23, end: url("Hi Ann").length }]);
  });

  describe("a value split over texts", () => {
    const parts = (...texts: [text: string, turn: number, isUser?: boolean][]) =>
      texts.map(([text, turn, isUser = true]) => leaf(text, isUser, "text", turn));
    const written = (leaves: ScanLeaf[], rules: ScanRule[] = [pattern("PROJECT-FALCON", "redact", "[P]")]) => {
      const { redacted, findings } = run(rules, leaves);
      return {
        texts: leaves.map(({ text }, index) => redacted.find((one) => one.leaf === index)?.text ?? text),
        spans: findings.flatMap(({ spans }) =>
          spans.map((span) => leaves[span.leaf]?.text.slice(span.start, span.end)),
        ),
      };
    };

    it.each<[string, ScanLeaf[], string[], string[]]>([
      ["two parts", parts(["a PROJECT-", 0], ["FALCON b", 0]), ["a [P]", "[P] b"], ["PROJECT-", "FALCON"]],
      [
        "letters",
        parts(...Array.from("PROJECT-FALCON", (letter): [string, number] => [letter, 0])),
        Array<string>(14).fill("[P]"),
        Array.from("PROJECT-FALCON"),
      ],
      [
        "long parts",
        parts([`${"x ".repeat(500)}PROJ`, 0], [`ECT-FALCON${" y".repeat(500)}`, 0]),
        [`${"x ".repeat(500)}[P]`, `[P]${" y".repeat(500)}`],
        ["PROJ", "ECT-FALCON"],
      ],
      ["messages", parts(["a PROJECT-", 0], ["FALCON b", 1]), ["a [P]", "[P] b"], ["PROJECT-", "FALCON"]],
      [
        "disguised parts",
        parts(["ＰＲＯＪＥＣＴ", 0], ["\u200b-FALCON", 0]),
        ["[P]", "[P]"],
        ["ＰＲＯＪＥＣＴ", "\u200b-FALCON"],
      ],
    ])("%s", (_, leaves, texts, spans) => expect(written(leaves)).toEqual({ texts, spans }));

    it("matches at a space between parts", () => {
      expect(written(parts(["top", 0], ["secret", 0]), [pattern("top secret", "redact", "[T]")]).texts).toEqual([
        "[T]",
        "[T]",
      ]);
    });

    it("isn't extended by the next text", () => {
      const leaves = parts(["Answer ann@example.com", 0], ["555-0100", 1]);
      expect(written(leaves, [pattern("[a-z@]+\\.com[0-9]*", "redact", "[E]")]).texts).toEqual([
        "Answer [E]",
        "555-0100",
      ]);
    });

    it("is left alone by a user-only rule when a part is another role's", () => {
      const leaves = parts(["PROJECT-", 0, true], ["FALCON", 1, false]);
      expect(
        written(leaves, [{ ...pattern("PROJECT-FALCON", "redact"), scanScope: "user_only" as const }]).spans,
      ).toEqual([]);
    });

    it("is found beside a batch", () => {
      const [first, second] = parts(["PROJECT-", 0], ["FALCON", 0]) as [ScanLeaf, ScanLeaf];
      expect(
        run([pattern("PROJECT-FALCON", "redact", "[P]")], [{ ...first, isContext: true }, second]).redacted,
      ).toEqual([{ leaf: 1, text: "[P]" }]);
    });
  });

  it("searches a short text without a match once", () => {
    const known = new Set<string>();
    const patterns = compilePatterns(["b"]);
    let searches = 0;
    const finders = {
      builtins,
      patterns: Object.assign(
        (...given: Parameters<typeof patterns>) => {
          searches += 1;
          return patterns(...given);
        },
        { size: 0 },
      ),
      clean: known,
    };
    for (let time = 0; time < 3; time += 1)
      scan([pattern("b", "block")], [leaf("a"), leaf("b")], finders, () => undefined);
    expect(searches).toBe(4);
    expect([...known]).toHaveLength(1);
  });

  it("takes no identifier for a name", () => {
    const fixed = { ...leaf("Ann"), isFixed: true };
    expect(run([builtin("person-name", "block")], [fixed]).findings).toEqual([]);
    expect(run([builtin("person-name", "block")], [{ ...fixed, text: "Ann B" }]).findings).toHaveLength(1);
    expect(run([pattern("Ann", "block")], [fixed]).findings).toHaveLength(1);
  });

  it("reports a hundred spans of a rule and replaces all", () => {
    const { findings, redacted } = run([pattern("x", "redact", "y")], [leaf("x".repeat(MAX_SPANS + 1)), leaf("x")]);
    expect(findings[0]?.spans).toHaveLength(MAX_SPANS);
    expect(redacted.map(({ text }) => text)).toEqual(["y".repeat(MAX_SPANS + 1), "y"]);
  });

  it("stops when cancelled, and at too many matches", () => {
    const over = () => {
      throw new ScanStop("timeout");
    };
    expect(() => run([builtin("email", "flag")], [leaf("text")], over)).toThrow(new ScanStop("timeout"));
    expect(() => run([pattern(".", "redact")], [leaf("x".repeat(60_000))])).toThrow(new ScanStop("matches"));
  });

  const secrets = fc.constantFrom("ann@example.com", "555-0100", "Ann", "10.0.0.1", "ignore");
  const text = fc
    .array(fc.oneof(secrets, fc.string({ maxLength: 6 })), { maxLength: 8 })
    .map((parts) => parts.join(" "));
  const action = fc.constantFrom("block", "redact", "flag");
  const someRule = fc
    .tuple(fc.constantFrom(...(Object.keys(builtins) as (keyof typeof builtins)[])), action)
    .map(([slug, what]) => builtin(slug, what, `[${what}]`));
  const rules = fc.uniqueArray(someRule, { selector: ({ detector }) => JSON.stringify(detector), maxLength: 5 });

  it("leaves no match of block or redact, and returns spans that equal the matches in the original text", () => {
    fc.assert(
      fc.property(rules, text, fc.constantFrom<ScanLeaf["form"]>("text", "json"), (filterRules, given, form) => {
        const sent = form === "json" ? JSON.stringify({ [given]: [given] }) : given;
        const { findings, redacted } = run(filterRules, [leaf(sent, true, form)]);
        const after = redacted[0]?.text ?? sent;
        for (const [index, { detector, action: what }] of filterRules.entries()) {
          const detect = builtins[(detector as { slug: keyof typeof builtins }).slug];
          const matched = new Set(detect(given).map(({ start, end }) => given.slice(start, end)));
          const spans = findings.find((finding) => finding.rule === index)?.spans ?? [];
          expect(new Set(spans.map(({ start, end }) => sent.slice(start, end)))).toEqual(matched);
          if (what !== "flag") for (const match of matched) expect(after).not.toContain(match);
        }
        if (form === "json") expect(() => JSON.parse(after) as unknown).not.toThrow();
      }),
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(rules, text, (filterRules, given) => {
        const first = run(filterRules, [leaf(given)]).redacted[0]?.text ?? given;
        expect(
          run(
            filterRules.filter((one) => one.action !== "flag"),
            [leaf(first)],
          ).redacted,
        ).toEqual([]);
      }),
    );
  });
});
