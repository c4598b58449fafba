import { asObject } from "../../../platform/json-values";
import type { ChatUsage } from "../contracts/chat-result-contract";

const MICRO = 1_000_000;

/** Adds up usages, and costs if all are known, rounded to micro-USD; undefined unless every answer has a usage. */
export function summedUsage(usages: readonly (ChatUsage | undefined)[]): ChatUsage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  if (known.length === 0 || known.length < usages.length) return undefined;
  const sum = known.reduce((total, usage) => added(total, usage) as ChatUsage);
  const { cost: _, cost_details: __, ...counts } = sum;
  return known.every(({ cost }) => cost !== undefined) ? sum : counts;
}

function added(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return Math.round((a + b) * MICRO) / MICRO;
  if (typeof a === "boolean" && typeof b === "boolean") return a || b;
  const [first, second] = [asObject(a), asObject(b)];
  if (!first || !second) return a ?? b;
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(names.map((name) => [name, added(first[name], second[name])]));
}
