import { KEY_VARIABLE } from "./key-variable";

export const LANGUAGES = ["curl", "typescript", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_TITLES: Readonly<Record<Language, string>> = {
  curl: "curl",
  typescript: "TypeScript",
  python: "Python",
};

export interface SnippetRequest {
  origin: string;
  /** The key itself; null to read it from the environment. */
  key: string | null;
  api: "responses" | "chat_completions";
  /** Fields that the official clients know. */
  body: Readonly<Record<string, unknown>>;
  /** Fields that they send although they don't know them. */
  extra?: Readonly<Record<string, unknown>>;
}

const PATHS = { responses: "responses", chat_completions: "chat/completions" } as const;
const METHODS = { responses: "responses", chat_completions: "chat.completions" } as const;
const RESULTS = {
  responses: { typescript: "response.output_text", python: "response.output_text" },
  chat_completions: {
    typescript: "response.choices[0]?.message.content",
    python: "response.choices[0].message.content",
  },
} as const;

/** JSON up to this length stays on one line. */
const LINE_CHARACTERS = 100;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

const quoted = (value: unknown): string => JSON.stringify(value);

/** Quotes a text for POSIX shells. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Writes a JSON value as a literal of a language, indented by `indent`. */
function literal(
  value: unknown,
  indent: string,
  name: (key: string) => string,
  scalar: (value: unknown) => string,
): string {
  const inner = `${indent}  `;
  const write = (one: unknown) => literal(one, inner, name, scalar);
  const isList = Array.isArray(value);
  if (!isList && (typeof value !== "object" || value === null)) return scalar(value);
  const parts = isList ? value.map(write) : Object.entries(value).map(([key, one]) => `${name(key)}: ${write(one)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  const gap = isList ? "" : " ";
  if (parts.length === 0) return open + close;
  const line = `${open}${gap}${parts.join(", ")}${gap}${close}`;
  if (line.length + indent.length <= LINE_CHARACTERS && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},`).join("\n")}\n${indent}${close}`;
}

const script = (value: unknown, indent: string) =>
  literal(value, indent, (key) => (IDENTIFIER.test(key) ? key : quoted(key)), quoted);

const PYTHON_CONSTANTS: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" };
const python = (value: unknown, indent: string) =>
  literal(value, indent, quoted, (scalar) => PYTHON_CONSTANTS[String(scalar)] ?? quoted(scalar)).replace(
    /^\{ (.*) \}$/,
    "{$1}",
  );

const isGiven = (extra: SnippetRequest["extra"]): extra is Readonly<Record<string, unknown>> =>
  extra !== undefined && Object.keys(extra).length > 0;

function curl({ origin, key, api, body, extra }: SnippetRequest): string {
  const all = { ...body, ...extra };
  const line = JSON.stringify(all);
  return [
    `curl ${origin}/v1/${PATHS[api]} \\`,
    `  -H "Authorization: Bearer ${key ?? `$${KEY_VARIABLE}`}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d ${shellQuoted(line.length <= LINE_CHARACTERS ? line : JSON.stringify(all, null, 2))}`,
  ].join("\n");
}

function typescript({ origin, key, api, body, extra }: SnippetRequest): string {
  const apiKey = key === null ? `process.env.${KEY_VARIABLE}` : quoted(key);
  const fields = (values: object) =>
    Object.entries(values).map(([name, value]) => `  ${name}: ${script(value, "  ")},`);
  return [
    `import OpenAI from "openai";`,
    ``,
    `const client = new OpenAI({ baseURL: "${origin}/v1", apiKey: ${apiKey} });`,
    `const response = await client.${METHODS[api]}.create({`,
    ...fields(body),
    // The type check reports unknown fields once, at the first one.
    ...(isGiven(extra) ? [`  // @ts-expect-error: not in the client's types, but sent.`, ...fields(extra)] : []),
    `});`,
    `console.log(${RESULTS[api].typescript});`,
  ].join("\n");
}

function pythonSnippet({ origin, key, api, body, extra }: SnippetRequest): string {
  const apiKey = key === null ? `os.environ["${KEY_VARIABLE}"]` : quoted(key);
  return [
    ...(key === null ? [`import os`] : []),
    `from openai import OpenAI`,
    ``,
    `client = OpenAI(base_url="${origin}/v1", api_key=${apiKey})`,
    `response = client.${METHODS[api]}.create(`,
    ...Object.entries(body).map(([name, value]) => `    ${name}=${python(value, "    ")},`),
    ...(isGiven(extra) ? [`    extra_body=${python(extra, "    ")},`] : []),
    `)`,
    `print(${RESULTS[api].python})`,
  ].join("\n");
}

const WRITERS: Readonly<Record<Language, (request: SnippetRequest) => string>> = {
  curl,
  typescript,
  python: pythonSnippet,
};

/** Code that sends a request with curl or an official OpenAI client. */
export const requestSnippet = (language: Language, request: SnippetRequest): string => WRITERS[language](request);
