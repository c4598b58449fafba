import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BUILTIN_SLUGS } from "./vocabulary";
import { TEST_SEED } from "../../testing/random";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { compilePatterns } from "./pattern-set";
import { scan } from "./scan";
import { searchIn } from "./search";

type Slug = (typeof BUILTIN_SLUGS)[number];
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([]) };

/** Counts the matches of each detector per 10 kB. */
function alarmsIn(texts: readonly string[]) {
  const counts = new Map<Slug, number>();
  const shown: string[] = [];
  for (const text of texts) {
    const find = searchIn(text, finders, () => undefined);
    for (const slug of BUILTIN_SLUGS)
      for (const { start, end } of find({ kind: "builtin", slug })) {
        counts.set(slug, (counts.get(slug) ?? 0) + 1);
        if (shown.length < 20 && slug !== "person-name" && slug !== "email")
          shown.push(`${slug}: ${text.slice(start, end)}`);
      }
  }
  const size = texts.reduce((sum, text) => sum + text.length, 0) / 10_000;
  return { rates: Object.fromEntries(BUILTIN_SLUGS.map((slug) => [slug, (counts.get(slug) ?? 0) / size])), shown };
}

/** Expects at most some matches per 10 kB of the detectors named, and none of the others. */
function expectAtMost(texts: readonly string[], most: Partial<Record<Slug, number>>): void {
  const { rates, shown } = alarmsIn(texts);
  for (const slug of BUILTIN_SLUGS)
    expect(rates[slug], `${slug} ${shown.join("\n")}`).toBeLessThanOrEqual(most[slug] ?? 0);
}

/** Names of people and the mail addresses of authors and sample IP addresses are what published packages really contain. */
const OF_PACKAGES: Partial<Record<Slug, number>> = {
  "person-name": 12,
  email: 10,
  "ip-address": 0.5,
  phone: 0.2,
  address: 0.1,
  secrets: 0.1,
  "regex-prompt-injection": 0.1,
  ssn: 0.02,
  "credit-card": 0.02,
};
/** Widespread packages that change little from release to release. A fixed list, so that a new dependency doesn't change the rates. */
const PACKAGES =
  "acorn ajv ansi-regex ansi-styles argparse aria-query axe-core balanced-match brace-expansion bytes call-bind chalk classnames clsx color-convert color-name commander concat-map content-disposition content-type cookies cross-spawn csstype d3-array d3-color d3-ease d3-format d3-interpolate d3-path d3-scale d3-shape d3-time d3-timer debug decimal.js-light deep-equal depd detect-libc ee-first encodeurl entities escape-html escape-string-regexp estree-walker eventemitter3 extend fast-check fast-deep-equal follow-redirects for-each function-bind get-intrinsic gopd graceful-fs has-flag has-symbols hasown http-errors https-proxy-agent iconv-lite ignore immer inherits ini is-core-module is-regex is-string js-tokens js-yaml json-schema-traverse json5 jsonc-parser koa leven libphonenumber-js lodash lru-cache magic-string mime-db mime-types minimatch minimist ms nanoid negotiator next node-fetch nodemailer object-inspect object-keys on-finished once parse-json path-parse path-to-regexp pg pg-types picocolors picomatch pino postcss prompts pump react react-dom react-is readable-stream redux reselect resolve resolve-from retry safe-buffer safer-buffer scheduler semver setprototypeof shebang-command side-channel signal-exit source-map-js split2 statuses string_decoder supports-color tailwindcss tapable tar-stream toidentifier tr46 tslib type-is typescript undici unified util-deprecate uuid vary vfile webidl-conversions whatwg-url which wrappy ws xtend y18n yaml yargs zod".split(
    " ",
  );
/** Length of the beginning of a file that is searched. */
const LONGEST = 6_000;

/** Returns up to two files of each package whose name matches. */
const filesOf = (name: RegExp): string[] =>
  PACKAGES.map((one) => join("node_modules", one))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isFile() && name.test(entry.name))
        .map((entry) => join(folder, entry.name))
        .toSorted()
        .slice(0, 2),
    );

it.each([
  ["documents", /\.md$/i],
  ["descriptions", /\.json$/],
  ["source", /\.[cm]?[jt]s$/],
])("%s of published packages raise few alarms", (_, name) => {
  const files = filesOf(name);
  expect(files.length).toBeGreaterThan(100);
  expectAtMost(
    files.map((file) => readFileSync(file, "utf8").slice(0, LONGEST)),
    OF_PACKAGES,
  );
});

/** Returns a source of random numbers, the same in every run. */
function random(): (below: number) => number {
  let state = TEST_SEED;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WIDTHS = [2, 3, 4, 5, 6, 7, 8];
const SEPARATORS = ["\t", ",", ", ", ";", " | ", "⇥", "  "];

it("tables of numbers of every width and separator raise almost no alarm", () => {
  const next = random();
  const tables = WIDTHS.flatMap((width) =>
    SEPARATORS.flatMap((separator) =>
      [1, 2, 5].map((columns) => {
        const cell = () => String(next(10 ** width)).padStart(width, "0");
        return Array.from({ length: 30 }, () => Array.from({ length: columns }, cell).join(separator)).join("\n");
      }),
    ),
  );
  expectAtMost(tables, { "credit-card": 0.1, phone: 0.1 });
});

it("logs, ids, measurements, tool schemas and instructions of agents raise no alarm", () => {
  const next = random();
  const hex = (length: number) => Array.from({ length }, () => next(16).toString(16)).join("");
  const uuid = () => [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-");
  const lines = (write: (row: number) => string) => Array.from({ length: 60 }, (_, row) => write(row)).join("\n");
  expectAtMost(
    [
      lines(
        (row) => `2026-11-28T07:${10 + (row % 50)}:08.${100 + next(900)}Z INFO request ${uuid()} took ${next(900)} ms`,
      ),
      lines((row) => `${row},${hex(40)},${next(1e5)}.${next(100)},${1_700_000_000 + next(1e7)}`),
      lines(() => `.text:00${hex(6)} mov eax, [ebp-${next(90)}]`),
      lines((row) => `refs: ${row}\n2016-09-${10 + (row % 20)}`),
      lines(() => `BP ${100 + next(60)}/${60 + next(40)}, HR ${50 + next(60)}, SpO2 ${90 + next(10)}%`),
      JSON.stringify({
        timeout: { enum: [15, 120, 300, 604_800] },
        tokenizer: "cl100k_base",
        code: "context_length_exceeded",
      }),
      "You are a coding agent. Run tests before you commit, keep tokens under 4,096, and never print secrets. " +
        "Timeouts are 120 s, and 600 s for builds. Use apply_patch to edit files.",
    ],
    {},
  );
});

it("finds nothing in random ids of calls and items, as vendors write them", () => {
  const random = (index: number) => createHash("sha512").update(`${TEST_SEED} ${index}`).digest();
  const ids = Array.from({ length: 500 }, (_, index) => random(index)).flatMap((bytes) => [
    `call_${bytes.toString("base64").replaceAll(/\W/g, "").slice(0, 24)}`,
    `fc_${bytes.toString("hex").slice(0, 50)}`,
    `toolu_01${bytes.toString("base64").replaceAll(/\W/g, "").slice(0, 22)}`,
    `chatcmpl-tool-${bytes.toString("hex").slice(0, 32)}`,
    `tooluse_${bytes.toString("base64url").slice(0, 22)}`,
    bytes.toString("hex").slice(0, 32),
  ]);
  const rules = BUILTIN_SLUGS.map((slug) => ({
    detector: { kind: "builtin" as const, slug },
    action: "block" as const,
    label: "[X]",
    scanScope: "all_messages" as const,
  }));
  const leaves = ids.map((text) => ({ text, form: "text" as const, isUser: false, isFixed: true }));
  expect(scan(rules, leaves, finders, () => undefined).findings).toEqual([]);
});
