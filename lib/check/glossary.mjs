// Former wording that has a standard term is used nowhere: in texts, comments, documents or identifiers.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const FOLDERS = ["app", "components", "docs", "e2e", "lib"];
const CHECKED = /\.(css|json|md|mjs|prisma|sh|sql|tsx?|ya?ml)$/;
/** This list, its test, and texts that aren't ours. */
const IGNORED =
  /^lib\/check\/glossary\.|(^|\/)(node_modules|generated)(\/|$)|NOTICE\.md$|^lib\/engine\/filters\/(corpora|detectors)\/|\.spec\.ts-snapshots\//;
const MAX_SIZE = 400_000;

/** Former phrase → term, in any case and across line breaks. @type {Record<string, string>} */
const PHRASES = {
  "judge again": "re-evaluate",
  "judged again": "re-evaluated",
  "as of then": "original policy",
  "first part of an answer": "time to first token",
  "first part after": "time to first token",
  "of equal length before": "previous period",
  "waiting for its turn": "queued",
  "what cost most": "top spend",
  "leads to its requests": "top spend",
  "starts anew": "resets",
  "begins anew": "resets",
  "empty: no limit": "leave blank for no limit",
  "empty: never": "leave blank to keep forever",
  "empty: unknown": "optional",
  "fill this in": "{field} is required",
  "its text was shown": "the key was shown once",
  "give it a new text": "rotate key",
  "acts in its name": "anyone with this key can use it",
  "nothing in the log is like that": "no results",
  "the filters leave": "all matching generations",
  "comes alive": "is hydrated",
  "came alive": "was hydrated",
  "none decided anything": "no rules applied",
  "1 decided something": "1 guardrail applied",
  "an endpoint was left": "endpoint available",
  "no endpoint was left": "no endpoint available",
  "the caller reads": "error returned",
  "output tokens at most": "max output tokens",
  "tool calls at most": "max tool calls",
  "not asked yet": "no traffic yet",
  "only with these words": "filter by text",
  "enforces nothing": "unassigned, not enforced",
  "none holds now": "no active exceptions",
  "nobody is told": "no webhooks",
  "nothing has arrived since": "deliveries failing since",
  "it was shown when it was made": "shown only at creation",
  "signed in nowhere": "no active sessions",
  "usual order": "default",
  "1 results": "1 result",
  "some fields need another look": "some fields are invalid",
  "policy applies in full": "takes effect on the next request",
};

/** Former identifier or label → term, as a whole word; one of small letters also as a word of a camel-case identifier. @type {Record<string, string>} */
const WORDS = {
  "Finished by": "Finish reason",
  "Reached at": "Base URL",
  "Ignored models": "Blocked models",
  "Ignored providers": "Blocked providers",
  persistently: "retryImport",
  Asked: "InferenceRequest",
  asked: "requested, called",
  told: "reported, notified, returned",
  useRested: "useDebounced",
  Door: "AuthLayout",
  SpokenWords: "DeltaDeduplicator",
  Funding: "Reservation",
  lookSoon: "scheduleAlertCheck",
  letGo: "stopRenewing",
};

/** Spaces also match a line break with a comment's marker. @param {string} text @param {string} flags */
const pattern = (text, flags) =>
  new RegExp(
    `(?<!\\w)${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+(?:(?://|\\*)\\s+)?")}(?!\\w)`,
    flags,
  );

/** A word, also of an identifier such as `askedFor` or `hasAsked`. Those with underscores are fields of the API, which stay. @param {string} word */
const partOf = (word) =>
  new RegExp(
    `(?<!\\w)${word}(?![a-z0-9_])|(?<=[a-z0-9])${word.charAt(0).toUpperCase()}${word.slice(1)}(?![a-z0-9_])`,
    "g",
  );

const RULES = [
  ...Object.entries(PHRASES).map(([former, term]) => ({ former, term, found: pattern(former, "gi") })),
  ...Object.entries(WORDS).map(([former, term]) => ({
    former,
    term,
    found: /^[a-z]+$/.test(former) ? partOf(former) : pattern(former, "g"),
  })),
];

/** @param {string} folder @returns {string[]} */
const walk = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (IGNORED.test(path)) return [];
    return entry.isDirectory() ? walk(path) : CHECKED.test(path) ? [path] : [];
  });

const present = new Set(readdirSync("."));
const files = FOLDERS.filter((folder) => present.has(folder)).flatMap(walk);
let problems = 0;
for (const path of files) {
  const text = readFileSync(path, "utf8");
  if (text.length > MAX_SIZE) continue;
  for (const { former, term, found } of RULES)
    for (const { index } of text.matchAll(found)) {
      problems += 1;
      const line = text.slice(0, index).split("\n").length;
      process.stdout.write(`  ${path}:${line}: "${former}", use "${term}"\n`);
    }
}
process.stdout.write(`${files.length} files, ${RULES.length} former terms, ${problems} problems\n`);
process.exit(problems > 0 || files.length === 0 ? 1 : 0);
