import type { Lifecycle } from "../../engine/endpoint";

type Retirement = readonly [names: RegExp, deprecated: string | null, retires: string, replacement: string];

/**
 * Retirements that vendors have announced for their own APIs, as of 2026-11-28. Clouds have dates of their own. The first
 * match applies.
 */
const RETIREMENTS: Readonly<Record<string, readonly Retirement[]>> = {
  // https://docs.anthropic.com/en/docs/about-claude/model-deprecations
  anthropic: [
    [/^claude-(?:v?1|instant)/, "2024-09-04", "2024-11-06", "claude-haiku-4-5"],
    [/^claude-2|^claude-3-sonnet/, "2025-01-21", "2025-07-21", "claude-sonnet-4-5"],
    [/^claude-3-5-sonnet/, "2025-08-13", "2025-10-28", "claude-sonnet-4-5"],
    [/^claude-3-opus/, "2025-06-30", "2026-01-05", "claude-opus-4-1"],
    [/^claude-3-7-sonnet/, "2025-10-28", "2026-02-19", "claude-sonnet-4-5"],
    [/^claude-3-5-haiku/, "2025-12-19", "2026-02-19", "claude-haiku-4-5"],
    [/^claude-3-haiku/, "2026-02-19", "2026-04-20", "claude-haiku-4-5"],
  ],
  // https://platform.openai.com/docs/deprecations
  openai: [
    [/^(?:ada|babbage|curie|davinci)$/, "2023-07-06", "2024-01-04", "gpt-4o-mini"],
    [/^text-davinci-00[1-3]$/, "2023-07-06", "2024-01-04", "gpt-4o-mini"],
    [/^gpt-3\.5-(?:turbo-)?(?:16k-)?0301$/, "2023-06-13", "2024-09-13", "gpt-4o-mini"],
    [/^gpt-3\.5-turbo(?:-16k)?-0613$|^gpt-3\.5-turbo-16k$/, "2023-11-06", "2024-09-13", "gpt-4o-mini"],
    [/^gpt-3\.5-turbo-(?:1106|instruct)|^(?:babbage|davinci)-002$/, "2025-09-26", "2026-09-28", "gpt-4o-mini"],
    [/^gpt-4-(?:1106-)?vision-preview$/, "2024-06-06", "2024-12-06", "gpt-4o"],
    [/^gpt-4-32k/, "2024-06-06", "2025-06-06", "gpt-4o"],
    [/^gpt-4\.5-preview/, "2025-04-14", "2025-07-14", "gpt-4.1"],
    [/^o1-preview/, "2025-04-28", "2025-07-28", "o3"],
    [/^o1-mini/, "2025-04-28", "2025-10-27", "o4-mini"],
    [/^codex-mini/, "2025-11-17", "2026-02-12", "gpt-5.1-codex-mini"],
    [/^chatgpt-4o-latest$/, "2025-11-18", "2026-02-17", "gpt-5.1"],
  ],
  // https://ai.google.dev/gemini-api/docs/deprecations
  google: [
    [/^gemini-(?:1\.0-)?pro(?:$|-vision|-00)/, null, "2025-02-15", "gemini-2.5-flash"],
    [/^gemini-1\.5-|^gemini-(?:pro|flash)-1\.5/, null, "2025-09-29", "gemini-2.5-flash"],
  ],
};

const instant = (day: string) => `${day}T00:00:00.000Z`;

/** Returns the announced retirement of a model at a vendor's own API; null if none is known. `vendor` is a slug of the catalogue. */
export function lifecycleOf(vendor: string | null, upstreamModel: string): Lifecycle | null {
  const name = upstreamModel.toLowerCase().replace(/^models\//, "");
  const found = vendor === null ? undefined : RETIREMENTS[vendor]?.find(([names]) => names.test(name));
  if (!found) return null;
  const [, deprecated, retires, replacement] = found;
  return {
    deprecatedAt: deprecated === null ? null : instant(deprecated),
    retiresAt: instant(retires),
    replacement,
  };
}

/** True once the vendor no longer serves the model. */
export const isRetired = (lifecycle: Lifecycle | null, now: Date): boolean =>
  lifecycle !== null && lifecycle.retiresAt <= now.toISOString();
