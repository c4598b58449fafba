import "server-only";
import { setImmediate } from "node:timers/promises";
import type { Protocol } from "../../engine/endpoint";
import type { Exception } from "../../engine/policy/exception";
import type { FilterRule } from "../../engine/filters/filter-rule";
import { outcomeOf, withoutNames, type FilterFinding, type FilterOutcome } from "../../engine/filters/findings";
import { requestVocabulary } from "../../engine/filters/coverage";
import { betaLeaf, leavesOf, type Leaf } from "../../engine/filters/leaves";
import type { LeafPath } from "../../engine/filters/places";
import { MAX_MATCHES } from "../../engine/filters/pattern-set";
import { SCAN_SCOPES } from "../../engine/filters/vocabulary";
import { isInScope, MAX_SPANS, type ScanLeaf, type ScanRule } from "../../engine/filters/scan";
import { ScanTimeout, tooManyMatches } from "../../engine/filters/scan-failure";
import { runScan, type ScanLimits } from "./scan-service";
import { REACH } from "../../engine/filters/readings/joins";
import { CopyOnWrite } from "../../engine/filters/write-back";

/**
 * Maximum number of leaves per message to a thread, so that building and sending it doesn't block the event loop. A
 * longer leaf is sent whole.
 */
const BATCH_LEAVES = 1000;
const BATCH_UNITS = 256 * 1024;
/** Number of values visited before yielding to the event loop. */
const VALUES_AT_ONCE = 10_000;

export interface FilterVerdict<Of extends object> {
  outcome: FilterOutcome;
  findings: FilterFinding[];
  /**
   * The body with matches of `block` and `redact` replaced by labels, safe to send or store. The same object if nothing
   * was replaced.
   */
  body: Of;
}

/**
 * Applies content filters to a request's input in its protocol: the body, and the beta features in a header. Throws
 * `ScanTimeout` when the scan takes longer than `timeoutMs`, `ScanBusy` when it waits that long, and another
 * `ScanFailure` when it fails. Such a request must not be sent upstream.
 */
export async function filterInput<Of extends Readonly<Record<string, unknown>>>(
  { protocol, body, betas = null }: { protocol: Protocol; body: Of; betas?: string | null | undefined },
  rules: readonly FilterRule[],
  limits: ScanLimits,
  phrases: readonly Exception[] = [],
): Promise<FilterVerdict<Of>> {
  if (rules.length === 0) return { outcome: "allowed", findings: [], body };
  let leftMs = limits.timeoutMs;
  const scanRules = scanRulesOf(rules);
  const allowed = phrases.map(({ phrase }) => phrase ?? "");
  const found = new Map<number, FilterFinding>();
  const copy = new CopyOnWrite<Of>(body);
  let count = 0;

  const renamed: { path: LeafPath; name: string }[] = [];
  const header = betas === null ? [] : [betaLeaf(protocol, betas)];
  const leaves = await gathered(concatenated(leavesOf(protocol, body), header), rules);
  for (const batch of batchesOf(leaves)) {
    limits.signal.throwIfAborted();
    if (leftMs <= 0) throw new ScanTimeout(limits.timeoutMs);
    const { result, ranMs } = await runScan(
      { rules: scanRules, leaves: batch.map(scanLeafOf), phrases: allowed },
      leftMs,
      limits,
    );
    leftMs -= ranMs;
    count += result.found;
    if (count > MAX_MATCHES) throw tooManyMatches();
    for (const { rule: index, phrase, isFixed, spans, families } of result.findings) {
      const rule = rules[index] as FilterRule;
      const isStopped = isFixed && rule.action === "redact" && phrase === null && !rule.lifted;
      const place = 2 * (index * (phrases.length + 1) + (phrase === null ? 0 : phrase + 1)) + Number(isStopped);
      const known = found.get(place) ?? begun(rule, phrase === null ? undefined : phrases[phrase], isStopped);
      const placed = spans.map(({ leaf, start, end }) => ({ path: [...(batch[leaf]?.path ?? [])], start, end }));
      found.set(place, {
        ...known,
        spans: [...known.spans, ...placed].slice(0, MAX_SPANS),
        families: [...new Set([...known.families, ...families])],
      });
    }
    for (const { leaf, text } of result.redacted) {
      const found = batch[leaf];
      if (!found || header.includes(found)) continue;
      const { path, form } = found;
      if (form === "name") renamed.push({ path, name: text });
      else copy.write(path, text);
    }
  }
  // Inner properties come before the renamed properties that contain them.
  for (const { path, name } of renamed.toSorted((a, b) => b.path.length - a.path.length)) copy.rename(path, name);
  const findings = [...found.entries()].toSorted(([a], [b]) => a - b).map(([, finding]) => finding);
  return { outcome: outcomeOf(findings), findings: withoutNames(findings, requestVocabulary()), body: copy.value };
}

/** Rules in the form that scans take, prepared once per rule array. */
const prepared = new WeakMap<readonly FilterRule[], ScanRule[]>();

function scanRulesOf(rules: readonly FilterRule[]): ScanRule[] {
  const known = prepared.get(rules);
  if (known) return known;
  const scanRules = rules.map(({ detector, action, label, scanScope, lifted }) => ({
    detector,
    action: lifted ? ("flag" as const) : action,
    label,
    scanScope,
  }));
  prepared.set(rules, scanRules);
  return scanRules;
}

/** Creates an empty finding for a rule. */
const begun = (rule: FilterRule, phrase: Exception | undefined, isFixed: boolean): FilterFinding => {
  const exception = phrase ?? rule.lifted;
  return { rule, spans: [], families: [], ...(isFixed && { isFixed }), ...(exception && { exception }) };
};

function* concatenated<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}

/** Collects the leaves that rules apply to, and yields to other requests between values. */
async function gathered(leaves: Iterable<Leaf | null>, rules: readonly FilterRule[]): Promise<Leaf[]> {
  const widest = SCAN_SCOPES.find((scope) => rules.some(({ scanScope }) => scanScope === scope)) ?? "all_messages";
  const found: Leaf[] = [];
  let looked = 0;
  for (const leaf of leaves) {
    looked += 1;
    if (looked % VALUES_AT_ONCE === 0) await setImmediate();
    if (leaf?.text && isInScope({ scanScope: widest }, leaf)) found.push(leaf);
  }
  return found;
}

interface BatchLeaf extends Leaf {
  isContext?: true;
}

/** Returns the parts of a leaf that a scan needs. */
const scanLeafOf = ({
  text,
  form,
  isUser,
  isTrusted,
  isFixed,
  turn,
  callTurn,
  label,
  isContext,
}: BatchLeaf): ScanLeaf => ({
  text,
  form,
  isUser,
  isFixed,
  turn,
  callTurn,
  label,
  ...(isTrusted && { isTrusted }),
  ...(isContext && { isContext }),
});

/** Splits leaves into batches. Each contains the neighboring texts, so that a value split between batches is found. */
function* batchesOf(leaves: readonly Leaf[]): Generator<BatchLeaf[]> {
  for (let from = 0; from < leaves.length;) {
    let [to, units] = [from, 0];
    while (
      to < leaves.length &&
      to - from < BATCH_LEAVES &&
      (to === from || units + (leaves[to]?.text.length ?? 0) <= BATCH_UNITS)
    ) {
      units += leaves[to]?.text.length ?? 0;
      to += 1;
    }
    yield from === 0 && to === leaves.length
      ? [...leaves]
      : [...before(leaves, from), ...leaves.slice(from, to), ...after(leaves, to)];
    from = to;
  }
}

/** Returns the ends of the texts before a place, long enough for a split value. */
function before(leaves: readonly Leaf[], place: number): BatchLeaf[] {
  const context: BatchLeaf[] = [];
  let missing = REACH;
  for (let at = place - 1; at >= 0 && missing > 0; at -= 1) {
    const leaf = leaves[at];
    if (!leaf || leaf.turn === null) continue;
    context.unshift({ ...leaf, text: leaf.text.slice(-missing), isContext: true });
    missing -= leaf.text.length;
  }
  return context;
}

/** Returns the beginnings of the texts from a place. */
function after(leaves: readonly Leaf[], place: number): BatchLeaf[] {
  const context: BatchLeaf[] = [];
  let missing = REACH;
  for (let at = place; at < leaves.length && missing > 0; at += 1) {
    const leaf = leaves[at];
    if (!leaf || leaf.turn === null) continue;
    context.push({ ...leaf, text: leaf.text.slice(0, missing), isContext: true });
    missing -= leaf.text.length;
  }
  return context;
}
