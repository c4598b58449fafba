import type { BuiltinFilter } from "./contract";
import { SECRETS_BUILTIN } from "./vocabulary";
import { openSecret } from "./detectors/secrets";
import { compilePattern } from "./pattern";
import { reachOf as patternReach } from "./pattern-set";
import type { ScanRule } from "./scan";
import type { Reach } from "./stream-window";

/**
 * Maximum length of a match and the text after it that the detector examines, in characters of the condensed form.
 * Prompt injections have no maximum, because they may be encoded in a run of any length.
 */
const BUILTIN_REACH: Readonly<Record<BuiltinFilter["slug"], number>> = {
  "regex-prompt-injection": Infinity,
  // Longer secrets are held back from their start: `openSecret`.
  secrets: 640,
  email: 460,
  phone: 260,
  ssn: 64,
  "credit-card": 96,
  "ip-address": 96,
  "person-name": 160,
  address: 512,
};

/** Minimum number of characters before a match, for cue words such as "phone" and for complete earlier matches. */
const MIN_BEFORE = 512;
/** Minimum number of characters from the start of a match on, for a word or escape cut off by a slice's end. */
const MIN_AFTER = 64;

/** Returns the number of characters, from the start of a match on, that decide it; Infinity if unbounded. */
export const ruleReach = ({ detector }: Pick<ScanRule, "detector">): number =>
  detector.kind === "builtin"
    ? BUILTIN_REACH[detector.slug]
    : patternReach(detector.pattern, compilePattern(detector.pattern));

/** Returns the reach of rules. A phrase that an exception allows may extend beyond the match that it contains. */
export function reachOf(rules: readonly Pick<ScanRule, "detector">[], phrases: readonly string[] = []): Reach {
  const longest = Math.max(0, ...phrases.map(({ length }) => length));
  const after = Math.max(MIN_AFTER, ...rules.map(ruleReach)) + longest;
  const hasSecrets = rules.some(({ detector }) => detector.kind === "builtin" && detector.slug === SECRETS_BUILTIN);
  return { before: Math.max(MIN_BEFORE, 2 * after), after, ...(hasSecrets && { openFrom: openSecret }) };
}
