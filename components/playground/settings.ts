/** Settings of the requests, as typed. */
export interface Settings {
  systemPrompt: string;
  temperature: string;
  topP: string;
  maxTokens: string;
  /** A JSON array of tools; empty for none. */
  tools: string;
  /** A JSON Schema of the answer; empty for text. */
  schema: string;
}

export const NO_SETTINGS: Settings = {
  systemPrompt: "",
  temperature: "",
  topP: "",
  maxTokens: "",
  tools: "",
  schema: "",
};

export type Problems = Partial<Readonly<Record<keyof Settings, string>>>;

type Fields = Record<string, unknown>;

interface Read {
  /** Fields of the request besides model and messages. */
  fields: Fields;
  problems: Problems;
}

const NUMBERS = [
  { setting: "temperature", field: "temperature", min: 0, max: 2, isWhole: false },
  { setting: "topP", field: "top_p", min: 0, max: 1, isWhole: false },
  { setting: "maxTokens", field: "max_completion_tokens", min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true },
] as const;

function parsed(text: string): { value: unknown } | { message: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { message: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readTools(text: string): { tools: unknown[] } | { message: string } {
  const read = parsed(text);
  if ("message" in read) return read;
  if (!Array.isArray(read.value)) return { message: "Must be a JSON array of tools: [ … ]" };
  return { tools: read.value };
}

function readSchema(text: string): { response_format: Fields } | { message: string } {
  const read = parsed(text);
  if ("message" in read) return read;
  if (!isObject(read.value)) return { message: "Must be a JSON Schema: { … }" };
  return {
    response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema: read.value } },
  };
}

/** Parses the settings into fields of a request. */
export function readSettings(settings: Settings): Read {
  const fields: Fields = {};
  const problems: Partial<Record<keyof Settings, string>> = {};
  for (const { setting, field, min, max, isWhole } of NUMBERS) {
    const text = settings[setting].trim();
    if (text === "") continue;
    const value = Number(text);
    const isValid = Number.isFinite(value) && value >= min && value <= max && (!isWhole || Number.isInteger(value));
    if (isValid) fields[field] = value;
    else problems[setting] = isWhole ? `Must be a whole number from ${min}` : `Must be a number from ${min} to ${max}`;
  }
  for (const [setting, read] of [
    ["tools", readTools],
    ["schema", readSchema],
  ] as const) {
    if (settings[setting].trim() === "") continue;
    const result = read(settings[setting]);
    if ("message" in result) problems[setting] = result.message;
    else Object.assign(fields, result);
  }
  return { fields, problems };
}

export const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "Get the weather of a city",
        parameters: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
          additionalProperties: false,
        },
      },
    },
  ],
  null,
  2,
);

export const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: "object",
    properties: { answer: { type: "string" }, confidence: { type: "number" } },
    required: ["answer", "confidence"],
    additionalProperties: false,
  },
  null,
  2,
);
