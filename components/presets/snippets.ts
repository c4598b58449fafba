import { requestSnippet, type Language } from "@/components/snippets/request-snippets";

export const REFERENCES = ["model", "field", "suffix"] as const;
/** Ways to reference a preset: as the model, in a separate field, or as a suffix to a model that overrides the preset's. */
export type Reference = (typeof REFERENCES)[number];

interface SnippetOptions {
  origin: string;
  slug: string;
  /** `@3` or `:prod`; empty for the live version. */
  target: string;
  /** Model named by the request. */
  model: string;
}

/** Request fields that reference the preset. */
export function referenceFields(reference: Reference, { slug, target, model }: SnippetOptions): Record<string, string> {
  const named = slug + target;
  if (reference === "model") return { model: `@preset/${named}` };
  return reference === "field" ? { model, preset: named } : { model: `${model}@preset/${named}` };
}

const INPUT = "Hello";

/** Example code that sends a request with the preset. */
export function snippet(language: Language, reference: Reference, options: SnippetOptions): string {
  const { preset, ...fields } = referenceFields(reference, options);
  return requestSnippet(language, {
    origin: options.origin,
    key: null,
    api: "responses",
    body: { ...fields, input: INPUT },
    ...(preset !== undefined && { extra: { preset } }),
  });
}
