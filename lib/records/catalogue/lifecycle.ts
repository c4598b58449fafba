import type { Lifecycle } from "../../engine/endpoint";

type Retirement = readonly [names: RegExp, deprecated: string | null, retires: string, replacement: string];

/**
 * Retirements that vendors have announced for their APIs, as of 2026-11-28. Clouds have other dates. The first match
 * applies. The replacement is the recommended model, or that model's replacement if it is retired, too.
 */
const RETIREMENTS: Readonly<Record<string, readonly Retirement[]>> = {
  // https://platform.claude.com/docs/en/about-claude/model-deprecations
  anthropic: [
    [/^claude-(?:v?1|instant)/, "2024-09-04", "2024-11-06", "claude-haiku-4-5"],
    [/^claude-2|^claude-3-sonnet/, "2025-01-21", "2025-07-21", "claude-sonnet-4-6"],
    [/^claude-3-5-sonnet/, "2025-08-13", "2025-10-28", "claude-sonnet-4-6"],
    [/^claude-3-opus/, "2025-06-30", "2026-01-05", "claude-opus-4-8"],
    [/^claude-3-7-sonnet/, "2025-10-28", "2026-02-19", "claude-sonnet-4-6"],
    [/^claude-3-5-haiku/, "2025-12-19", "2026-02-19", "claude-haiku-4-5"],
    [/^claude-3-haiku/, "2026-02-19", "2026-04-20", "claude-haiku-4-5"],
    [/^claude-opus-4(?:-0|-20250514)?$/, "2026-04-14", "2026-06-15", "claude-opus-4-8"],
    [/^claude-sonnet-4(?:-0|-20250514)?$/, "2026-04-14", "2026-06-15", "claude-sonnet-4-6"],
    [/^claude-opus-4-1(?:-20250805)?$/, "2026-06-05", "2026-08-05", "claude-opus-4-8"],
  ],
  // https://developers.openai.com/api/docs/deprecations
  openai: [
    [/^(?:ada|babbage|curie|davinci)$/, "2023-07-06", "2024-01-04", "gpt-5.6-terra"],
    [/^text-(?:ada|babbage|curie)-001$|^text-davinci-00[1-3]$/, "2023-07-06", "2024-01-04", "gpt-5.6-terra"],
    [/^gpt-3\.5-turbo-0301$/, "2023-06-13", "2024-09-13", "gpt-5.6-terra"],
    [/^gpt-3\.5-turbo(?:-16k)?-0613$|^gpt-3\.5-turbo-16k$/, "2023-11-06", "2024-09-13", "gpt-5.6-terra"],
    [/^gpt-3\.5-turbo-(?:1106|instruct)|^(?:babbage|davinci)-002$/, "2025-09-26", "2026-09-28", "gpt-5.6-terra"],
    [/^gpt-3\.5-turbo(?:-0125)?$/, "2026-04-22", "2026-10-23", "gpt-5.6-terra"],
    [/^gpt-4-(?:1106-)?vision-preview$/, "2024-06-06", "2024-12-06", "gpt-5.6-sol"],
    [/^gpt-4-32k(?:-0314|-0613)?$/, "2024-06-06", "2025-06-06", "gpt-5.6-sol"],
    [/^gpt-4-(?:0314|0125-preview|turbo-preview)$/, "2025-09-26", "2026-03-26", "gpt-5.6-sol"],
    [/^gpt-4(?:-0613|-1106-preview)?$|^gpt-4-turbo(?:-2024-04-09)?$/, "2026-04-22", "2026-10-23", "gpt-5.6-sol"],
    [/^gpt-4\.5-preview/, "2025-04-14", "2025-07-14", "gpt-6-luna"],
    [/^gpt-4\.1-nano(?:-2025-04-14)?$/, "2026-04-22", "2026-10-23", "gpt-5.6-luna"],
    [/^gpt-4\.1(?:-mini)?(?:-2025-04-14)?$/, "2026-10-14", "2027-01-14", "gpt-6-luna"],
    [/^gpt-4o-2024-05-13$/, "2026-04-22", "2026-10-23", "gpt-5.6-sol"],
    [/^gpt-4o(?:-2024-08-06|-2024-11-20)?$|^gpt-4o-mini(?:-2024-07-18)?$/, "2026-10-14", "2027-01-14", "gpt-6-luna"],
    [/^gpt-4o-(?:mini-)?search-preview/, "2026-04-22", "2026-07-23", "gpt-5.4-mini"],
    [/^chatgpt-4o-latest$/, "2025-11-18", "2026-02-17", "gpt-5.5"],
    [/^o1-preview/, "2025-04-28", "2025-07-28", "gpt-5.6-sol"],
    [/^o1-mini/, "2025-04-28", "2025-10-27", "gpt-5.6-terra"],
    [/^o1(?:-pro)?(?:-20\d\d-\d\d-\d\d)?$|^o3-mini(?:-2025-01-31)?$/, "2026-04-22", "2026-10-23", "gpt-5.6-sol"],
    [/^o4-mini(?:-2025-04-16)?$/, "2026-04-22", "2026-10-23", "gpt-5.6-terra"],
    [/^o[34](?:-mini)?-deep-research/, "2026-04-22", "2026-07-23", "gpt-5.5-pro"],
    [/^o3(?:-pro)?(?:-20\d\d-\d\d-\d\d)?$/, "2026-06-11", "2026-12-11", "gpt-6.1-sol"],
    [/^codex-mini/, "2025-11-17", "2026-02-12", "gpt-5.4-mini"],
    [/^gpt-5(?:-pro)?(?:-20\d\d-\d\d-\d\d)?$/, "2026-06-11", "2026-12-11", "gpt-6.1-sol"],
    [/^gpt-5-mini(?:-2025-08-07)?$/, "2026-06-11", "2026-12-11", "gpt-6.1-terra"],
    [/^gpt-5-nano(?:-2025-08-07)?$/, "2026-06-11", "2026-12-11", "gpt-6-luna"],
    [/^gpt-5\.1-codex-mini$/, "2026-04-22", "2026-07-23", "gpt-5.4-mini"],
    [
      /^gpt-5(?:\.1)?-(?:chat-latest|codex)$|^gpt-5\.1-codex-max$|^gpt-5\.2-codex$/,
      "2026-04-22",
      "2026-07-23",
      "gpt-5.5",
    ],
    [/^gpt-5\.[23]-chat-latest$/, "2026-05-08", "2026-08-10", "gpt-5.5"],
  ],
  // https://ai.google.dev/gemini-api/docs/deprecations
  google: [
    [/^gemini-(?:1\.0-)?pro(?:$|-vision|-00)/, null, "2025-02-15", "gemini-3.5-flash-lite"],
    [/^gemini-1\.5-|^gemini-(?:pro|flash)-1\.5/, null, "2025-09-29", "gemini-3.5-flash-lite"],
    [/^gemini-2\.5-pro-preview-\d\d-\d\d$/, null, "2025-12-02", "gemini-3.1-pro-preview"],
    [/^gemini-2\.0-flash(?:-lite)?(?:-001)?$/, "2026-01-22", "2026-03-31", "gemini-3.5-flash-lite"],
    [/^gemini-3-pro-preview$/, null, "2026-03-09", "gemini-3.1-pro-preview"],
    [/^gemini-2\.5-pro$/, null, "2026-12-01", "gemini-3.8-flash"],
    [/^gemini-2\.5-flash$/, null, "2026-12-01", "gemini-3.5-flash-lite"],
  ],
};

const instant = (day: string) => `${day}T00:00:00.000Z`;

/** Returns the announced retirement of a model at its vendor's API, or null. `vendor` is a slug of the catalogue. */
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
