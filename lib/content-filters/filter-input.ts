import "server-only";
import { setImmediate } from "node:timers/promises";
import type { ChatCompletionsBody, ResponsesBody } from "../inference/contract";
import type { Protocol } from "../inference/endpoint";
import type { FilterRule } from "./filter-rule";
import { outcomeOf, type FilterFinding, type FilterOutcome } from "./findings";
import { leavesOf, type Leaf } from "./leaves";
import { MAX_FOUND } from "./pattern-set";
import { MAX_SPANS } from "./scan";
import { tooManyMatches } from "./scan-failure";
import { runScan } from "./scan-pool";
import { CopyOnWrite } from "./write-back";

/** What one message to a thread holds at most, unless a single leaf is longer: so that neither building nor sending it holds up others. */
const BATCH_LEAVES = 1000;
const BATCH_UNITS = 256 * 1024;
/** Values that are looked at before others get a turn. */
const VALUES_AT_ONCE = 10_000;

type Body = ResponsesBody | ChatCompletionsBody;

export interface FilterVerdict<Of extends Body = Body> {
  outcome: FilterOutcome;
  findings: FilterFinding[];
  /** With what `block` and `redact` found replaced by labels: fit to be sent or stored. The same object when nothing was found by them. */
  body: Of;
}

/**
 * Runs content filters over a request's input, in its own protocol, on worker threads. Past `timeoutMs` it throws `ScanTimeout`,
 * and other `ScanFailure`s when nothing can be known: such a request must go to no upstream.
 */
export async function filterInput<Of extends Body>(
  { protocol, body }: { protocol: Protocol; body: Of },
  rules: readonly FilterRule[],
  { timeoutMs, workers, signal }: { timeoutMs: number; workers: number; signal: AbortSignal },
): Promise<FilterVerdict<Of>> {
  if (rules.length === 0) return { outcome: "allowed", findings: [], body };
  const limits = { timeoutMs, workers, deadline: performance.now() + timeoutMs };
  const asked = rules.map(({ detector, action, label, userOnly }) => ({ detector, action, label, userOnly }));
  const isUserOnly = rules.every(({ userOnly }) => userOnly);
  const byRule = new Map<number, FilterFinding>();
  const copy = new CopyOnWrite<Of>(body);
  let found = 0;

  for await (const batch of batches(leavesOf(protocol, body), isUserOnly)) {
    signal.throwIfAborted();
    const result = await runScan({ rules: asked, leaves: batch.map(({ path: _, ...leaf }) => leaf) }, limits);
    found += result.found;
    if (found > MAX_FOUND) throw tooManyMatches();
    for (const { rule, spans, families } of result.findings) {
      const known = byRule.get(rule) ?? { rule: rules[rule] as FilterRule, spans: [], families: [] };
      const placed = spans.map(({ leaf, start, end }) => ({ path: [...(batch[leaf]?.path ?? [])], start, end }));
      byRule.set(rule, { ...known, spans: [...known.spans, ...placed].slice(0, MAX_SPANS), families: [...new Set([...known.families, ...families])] });
    }
    for (const { leaf, text } of result.redacted) copy.write(batch[leaf]?.path ?? [], text);
  }
  const findings = [...byRule.entries()].toSorted(([a], [b]) => a - b).map(([, finding]) => finding);
  return { outcome: outcomeOf(findings), findings, body: copy.value };
}

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
