import { formatCount } from "@/components/generations/generation-format";
import type { EmbeddedLimit } from "@/lib/records/organization/contract";

export const LIMIT_LABELS: Record<EmbeddedLimit["name"], string> = {
  size_bytes: "Database size",
  generations: "Generations",
  memory_bytes: "Memory",
  busy_share: "CPU, busiest minute",
};

const bytes = (value: number) =>
  value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${formatCount(Math.round(value / 1e6))} MB`;

const percent = (share: number) => `${Math.round(share * 100)}%`;

/** A limit's name within a sentence. */
export const limitPhrase = (name: EmbeddedLimit["name"]): string =>
  name === "busy_share" ? LIMIT_LABELS[name] : LIMIT_LABELS[name].toLowerCase();

/** "1.7 GB of 2.0 GB". */
export function describeUse({ name, used, limit }: EmbeddedLimit): string {
  if (name === "busy_share") return `${percent(used)} (recommended below ${percent(limit)})`;
  const format = name === "generations" ? formatCount : bytes;
  return `${format(used)} of ${format(limit)}`;
}
