import { createLoader, parseAsString } from "nuqs/server";

/** State of the playground in the URL. Prompts are not part of it. */
export const PLAYGROUND_STATE = {
  workspace: parseAsString,
  /** Hash of the key that sends the requests. */
  key: parseAsString,
  /** A model's slug, or `@preset/<slug>` with an optional version or label. */
  model: parseAsString,
  /** The second model or preset, side by side. */
  compare: parseAsString,
  /** A guardrail that applies in addition. */
  guardrail: parseAsString,
  /** An unsaved guardrail of the editor, kept by this tab. */
  draft: parseAsString,
};

export const loadPlaygroundState = createLoader(PLAYGROUND_STATE);

const PRESET = /^@preset\/([^@:]+)(?:@(\d+))?$/;

/** A chosen target: a model, or a preset and its version; null for the live one. */
export type Target = { kind: "model"; slug: string } | { kind: "preset"; slug: string; version: string | null };

export function toTarget(model: string): Target {
  const [, slug, version] = PRESET.exec(model) ?? [];
  return slug === undefined ? { kind: "model", slug: model } : { kind: "preset", slug, version: version ?? null };
}

/** Returns the model name for a request. */
export const modelOf = (target: Target): string =>
  target.kind === "model"
    ? target.slug
    : `@preset/${target.slug}${target.version === null ? "" : `@${target.version}`}`;
