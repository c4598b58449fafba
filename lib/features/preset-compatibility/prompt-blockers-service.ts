import "server-only";
import { filterInput } from "../../gateway/filters/filter-service";
import { scanLimits } from "../../gateway/filters/scan-service";
import type { Context } from "../../platform/context";
import { filterRules } from "../../engine/policy/filter-rules";
import type { Layer } from "../../engine/policy/layers";
import type { Refusal } from "../../engine/policy/routing";

export interface Blocker extends Refusal {
  /** The builtin's slug, or the pattern's label. */
  rule: string;
}

/**
 * Returns, for each text, the content filters that would block it as instructions, and the layers that set them. Uses a
 * single scan; throws `ScanFailure` when it can't be scanned.
 */
export async function promptBlockers(
  context: Context,
  layers: readonly Layer[],
  texts: readonly string[],
): Promise<Blocker[][]> {
  const rules = filterRules(layers).filter(({ action }) => action === "block");
  const body = { input: texts.map((content) => ({ role: "system", content })) };
  const { findings } = await filterInput({ protocol: "responses", body }, rules, scanLimits(context));
  const blockers = texts.map((): Blocker[] => []);
  for (const {
    rule: { detector, label, sources },
    spans,
  } of findings) {
    const field = detector.kind === "builtin" ? "content_filter_builtins" : "content_filters";
    const rule = detector.kind === "builtin" ? detector.slug : label;
    for (const text of new Set(spans.map(({ path }) => Number(path[1]))))
      blockers[text]?.push(...sources.map((source) => ({ ...source, field, rule })));
  }
  return blockers;
}
