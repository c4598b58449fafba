export const LANGUAGES = ["curl", "typescript", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

export const REFERENCES = ["model", "field", "suffix"] as const;
/** In place of the model, in a field of its own, or after a model that overrules the preset's. */
export type Reference = (typeof REFERENCES)[number];

interface SnippetOptions {
  origin: string;
  slug: string;
  /** `@3` or `:prod`; empty: the version in use at the time of the request. */
  target: string;
  /** The model that a request names itself. */
  model: string;
}

/** The fields of a request that reference the preset. */
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
        ? [
            `  // @ts-expect-error: the client's types don't know this field; it is sent all the same.`,
            `  preset: ${JSON.stringify(preset)},`,
          ]
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

/** Code that sends a request with the preset. */
export const snippet = (language: Language, reference: Reference, options: SnippetOptions): string =>
  WRITERS[language](options.origin, referenceFields(reference, options));
