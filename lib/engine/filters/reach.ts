import type { BuiltinFilter } from "./contract";
import { SECRETS_BUILTIN } from "./vocabulary";
import { openSecret } from "./detectors/secrets";
import { compilePattern } from "./pattern";
import { reachOf as patternReach } from "./pattern-set";
import type { ScanRule } from "./scan";
import type { Reach } from "./stream-window";

/**
 * The longest match of each detector together with the following words that it considers, in characters.
 * Prompt injections may be encoded in a run of any length.
 */
const BUILTIN_REACH: Readonly<Record<BuiltinFilter["slug"], number>> = {
  "regex-prompt-injection": Infinity,
  // Longer ones are held from their beginning on: `openSecret`.
  secrets: 640,
  email: 460,
  phone: 260,
  ssn: 64,
  "credit-card": 96,
  "ip-address": 96,
  "person-name": 160,
  address: 512,
};

/** Detectors look back for words such as "phone"; a slice also shows them whole matches before that. */
const MIN_BEFORE = 512;
/** Escapes and words that are still incomplete at the end of a slice count in full. */
const MIN_AFTER = 64;

/** Characters that decide a rule's match; Infinity when its length has no bound. */
export const ruleReach = ({ detector }: Pick<ScanRule, "detector">): number =>
  detector.kind === "builtin"
    ? BUILTIN_REACH[detector.slug]
    : patternReach(detector.pattern, compilePattern(detector.pattern));

/** The reach of a set of rules. A phrase that excuses a match may surround it. */
export function reachOf(rules: readonly Pick<ScanRule, "detector">[], phrases: readonly string[] = []): Reach {
  const longest = Math.max(0, ...phrases.map(({ length }) => length));
  const after = Math.max(MIN_AFTER, ...rules.map(ruleReach)) + longest;
  const hasSecrets = rules.some(({ detector }) => detector.kind === "builtin" && detector.slug === SECRETS_BUILTIN);
  return { before: Math.max(MIN_BEFORE, 2 * after), after, ...(hasSecrets && { openFrom: openSecret }) };
}
