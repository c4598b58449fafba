import "server-only";
import { setImmediate } from "node:timers/promises";
import type { ChatCompletionsBody, ResponsesBody } from "../contract";
import type { Protocol } from "../../engine/endpoint";
import type { Exception } from "../../engine/policy/exception";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { outcomeOf, type FilterFinding, type FilterOutcome } from "../../engine/filters/findings";
import { leavesOf, type Leaf } from "../../engine/filters/leaves";
import { MAX_MATCHES } from "../../engine/filters/pattern-set";
import { MAX_SPANS } from "../../engine/filters/scan";
import { tooManyMatches } from "../../engine/filters/scan-failure";
import { runScan, type ScanLimits } from "./scan-service";
import { CopyOnWrite } from "../../engine/filters/write-back";

/**
 * Maximum number of leaves per message to a thread, so that building and sending it doesn't block the event loop. A
 * single longer leaf is sent whole.
 */
const BATCH_LEAVES = 1000;
const BATCH_UNITS = 256 * 1024;
/** Number of values visited before yielding to the event loop. */
const VALUES_AT_ONCE = 10_000;

export interface FilterVerdict<Of extends object = ResponsesBody | ChatCompletionsBody> {
  outcome: FilterOutcome;
  findings: FilterFinding[];
  /**
   * The body with matches of `block` and `redact` replaced by labels, safe to send or store. The same object when
   * nothing was replaced.
   */
  body: Of;
}

/**
 * Applies content filters to a request's input, in its own protocol, on worker threads. Throws `ScanTimeout` after
 * `timeoutMs`, and another `ScanFailure` when the scan fails: such a request must not be sent upstream.
 */
export async function filterInput<Of extends Readonly<Record<string, unknown>>>(
  { protocol, body }: { protocol: Protocol; body: Of },
  rules: readonly FilterRule[],
  { signal, ...given }: ScanLimits & { signal: AbortSignal },
  phrases: readonly Exception[] = [],
): Promise<FilterVerdict<Of>> {
  if (rules.length === 0) return { outcome: "allowed", findings: [], body };
  const limits = { ...given, deadline: performance.now() + given.timeoutMs };
  const scanRules = rules.map(({ detector, action, label, userOnly, lifted }) => ({
    detector,
    action: lifted ? ("flag" as const) : action,
    label,
    userOnly,
  }));
  const isUserOnly = rules.every(({ userOnly }) => userOnly);
  const allowed = phrases.map(({ phrase }) => phrase ?? "");
  const found = new Map<number, FilterFinding>();
  const copy = new CopyOnWrite<Of>(body);
  let count = 0;

  for await (const batch of batches(leavesOf(protocol, body), isUserOnly)) {
    signal.throwIfAborted();
    const result = await runScan(
      { rules: scanRules, leaves: batch.map(({ path: _, ...leaf }) => leaf), phrases: allowed },
      limits,
    );
    count += result.found;
    if (count > MAX_MATCHES) throw tooManyMatches();
    for (const { rule: index, phrase, spans, families } of result.findings) {
      const place = index * (phrases.length + 1) + (phrase === null ? 0 : phrase + 1);
      const known =
        found.get(place) ?? begun(rules[index] as FilterRule, phrase === null ? undefined : phrases[phrase]);
      const placed = spans.map(({ leaf, start, end }) => ({ path: [...(batch[leaf]?.path ?? [])], start, end }));
      found.set(place, {
        ...known,
        spans: [...known.spans, ...placed].slice(0, MAX_SPANS),
        families: [...new Set([...known.families, ...families])],
      });
    }
    for (const { leaf, text } of result.redacted) copy.write(batch[leaf]?.path ?? [], text);
  }
  const findings = [...found.entries()].toSorted(([a], [b]) => a - b).map(([, finding]) => finding);
  return { outcome: outcomeOf(findings), findings, body: copy.value };
}

/** Creates an empty finding for a rule. */
const begun = (rule: FilterRule, phrase: Exception | undefined): FilterFinding => {
  const exception = phrase ?? rule.lifted;
  return { rule, spans: [], families: [], ...(exception && { exception }) };
};

async function* batches(leaves: Iterable<Leaf | null>, isUserOnly: boolean): AsyncGenerator<Leaf[]> {
  let batch: Leaf[] = [];
  let units = 0;
  let looked = 0;
  for (const leaf of leaves) {
    looked += 1;
    if (looked % VALUES_AT_ONCE === 0) await setImmediate();
    if (!leaf?.text || (isUserOnly && !leaf.isUser)) continue;
    if (batch.length === BATCH_LEAVES || (batch.length > 0 && units + leaf.text.length > BATCH_UNITS)) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(leaf);
    units += leaf.text.length;
  }
  if (batch.length > 0) yield batch;
}
