export const LANGUAGES = ["curl", "typescript", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

export const REFERENCES = ["model", "field", "suffix"] as const;
/** As the model, in a separate field, or as a suffix to a model that overrides the preset's. */
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

const WRITERS: Readonly<Record<Language, (origin: string, fields: Record<string, string>) => string>> = {
  curl: (origin, fields) =>
    [
      `curl ${origin}/v1/responses \\`,
      `  -H "Authorization: Bearer $SIGNALBOX_API_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify({ ...fields, input: INPUT })}'`,
    ].join("\n"),
  typescript: (origin, { preset, ...fields }) =>
    [
      `import OpenAI from "openai";`,
      ``,
      `const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: process.env.SIGNALBOX_API_KEY });`,
      `const response = await client.responses.create({`,
      ...Object.entries({ ...fields, input: INPUT }).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
      ...(preset
        ? [`  // @ts-expect-error: not in the client's types, but sent.`, `  preset: ${JSON.stringify(preset)},`]
        : []),
      `});`,
      `console.log(response.output_text);`,
    ].join("\n"),
  python: (origin, { preset, ...fields }) =>
    [
      `import os`,
      `from openai import OpenAI`,
      ``,
      `client = OpenAI(base_url="${origin}/v1", api_key=os.environ["SIGNALBOX_API_KEY"])`,
      `response = client.responses.create(`,
      ...Object.entries({ ...fields, input: INPUT }).map(([name, value]) => `    ${name}=${JSON.stringify(value)},`),
      ...(preset ? [`    extra_body={"preset": ${JSON.stringify(preset)}},`] : []),
      `)`,
      `print(response.output_text)`,
    ].join("\n"),
};

/** Example code that sends a request with the preset. */
export const snippet = (language: Language, reference: Reference, options: SnippetOptions): string =>
  WRITERS[language](options.origin, referenceFields(reference, options));
