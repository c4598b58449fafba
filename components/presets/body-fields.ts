import type { PresetConfig } from "@/lib/records/presets/contract";

export type Body = Readonly<Record<string, unknown>>;
export type FieldPath = readonly [string] | readonly [string, string];

interface Field {
  path: FieldPath;
  label: string;
}

/** Invalid text is kept: the server reports the error. */
interface NumberField extends Field {
  kind: "number";
}
interface ChoiceField extends Field {
  kind: "choice";
  options: readonly (string | boolean)[];
}
interface TextField extends Field {
  kind: "text" | "list" | "json";
}
export type BodyField = NumberField | ChoiceField | TextField;

type Options<Value> = readonly Exclude<Value, object | null | undefined | number>[];
type Part<Name extends keyof PresetConfig, Key extends keyof NonNullable<PresetConfig[Name]>> = NonNullable<
  PresetConfig[Name]
>[Key];

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
const TIERS: Options<PresetConfig["service_tier"]> = ["auto", "default", "fast", "flex", "priority", "scale"];
const TRUNCATIONS: Options<PresetConfig["truncation"]> = ["auto", "disabled"];
const VERBOSITIES: Options<Part<"text", "verbosity">> = ["low", "medium", "high", "xhigh", "max"];
const COLLECTIONS: Options<Part<"provider", "data_collection">> = ["allow", "deny"];
const SORTS: Options<Part<"provider", "sort">> = ["price", "throughput", "latency", "exacto"];
const FLAG = [true, false] as const;

const number = (name: keyof PresetConfig, label: string): BodyField => ({ kind: "number", path: [name], label });
const provider = (key: string) => ["provider", key] as const;

/** Fields of a Responses body that the preset form shows, by section. */
export const BODY_FIELDS = {
  model: [
    { kind: "text", path: ["model"], label: "Model" },
    { kind: "list", path: ["models"], label: "Fallback models" },
  ],
  prompt: [{ kind: "text", path: ["instructions"], label: "System prompt" }],
  parameters: [
    number("temperature", "Temperature"),
    number("top_p", "Top P"),
    number("top_k", "Top K"),
    number("max_output_tokens", "Max output tokens"),
    number("frequency_penalty", "Frequency penalty"),
    number("presence_penalty", "Presence penalty"),
    { kind: "choice", path: ["reasoning", "effort"], label: "Reasoning effort", options: EFFORTS },
    { kind: "choice", path: ["text", "verbosity"], label: "Verbosity", options: VERBOSITIES },
  ],
  rareParameters: [
    { kind: "choice", path: ["service_tier"], label: "Service tier", options: TIERS },
    { kind: "choice", path: ["truncation"], label: "Truncation", options: TRUNCATIONS },
    number("top_logprobs", "Top log probabilities"),
  ],
  provider: [
    { kind: "list", path: provider("only"), label: "Allowed providers" },
    { kind: "list", path: provider("ignore"), label: "Blocked providers" },
    { kind: "list", path: provider("order"), label: "Provider order" },
    { kind: "choice", path: provider("sort"), label: "Sort providers by", options: SORTS },
    { kind: "choice", path: provider("allow_fallbacks"), label: "Fallback providers", options: FLAG },
    { kind: "choice", path: provider("data_collection"), label: "Data collection", options: COLLECTIONS },
    { kind: "choice", path: provider("zdr"), label: "Zero data retention", options: FLAG },
    { kind: "choice", path: provider("require_parameters"), label: "Require parameters", options: FLAG },
  ],
  tools: [
    { kind: "json", path: ["tools"], label: "Tools" },
    { kind: "choice", path: ["tool_choice"], label: "Tool choice", options: ["auto", "none", "required"] },
    { kind: "choice", path: ["parallel_tool_calls"], label: "Parallel tool calls", options: FLAG },
    number("max_tool_calls", "Max tool calls"),
  ],
  format: [{ kind: "json", path: ["text", "format"], label: "Response format" }],
} as const satisfies Record<string, readonly BodyField[]>;

const FIELDS: readonly BodyField[] = Object.values(BODY_FIELDS).flat();

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a path; undefined without one. */
export function valueAt(body: Body, [name, key]: FieldPath): unknown {
  const value = body[name];
  return key === undefined ? value : isObject(value) ? value[key] : undefined;
}

function without(body: Body, name: string): Body {
  const { [name]: _, ...rest } = body;
  return rest;
}

const withEntry = (body: Body, name: string, value: unknown): Body =>
  value === undefined ? without(body, name) : { ...body, [name]: value };

/** Sets the value at a path; undefined removes it, and objects that become empty. */
export function withValue(body: Body, [name, key]: FieldPath, value: unknown): Body {
  if (key === undefined) return withEntry(body, name, value);
  const parent = isObject(body[name]) ? body[name] : {};
  const changed = withEntry(parent, key, value);
  const isEmptied = value === undefined && Object.keys(changed).length === 0;
  return withEntry(body, name, isEmptied ? undefined : changed);
}

/** True if the field's control can show its value; otherwise it is edited among the other fields. */
export function canShow(field: BodyField, body: Body): boolean {
  const [name, key] = field.path;
  const parent = body[name] ?? {};
  if (key !== undefined && !isObject(parent)) return false;
  const value = valueAt(body, field.path);
  if (value === undefined) return true;
  switch (field.kind) {
    case "number":
      return typeof value === "number" || typeof value === "string";
    case "choice":
      return field.options.includes(value as string | boolean);
    case "list":
      return Array.isArray(value) && value.every((entry) => typeof entry === "string");
    case "text":
      return typeof value === "string";
    case "json":
      return value !== null;
  }
}

const CUSTOM = "custom value";
const MOST_NAMED = 3;

function summaryOf(value: unknown): string {
  if (Array.isArray(value))
    return value.every((entry) => typeof entry === "string") ? value.join(", ") : String(value.length);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : CUSTOM;
}

/** What the fields have in a body: "Service tier: flex", or their names if they have nothing. */
export function fieldsSummary(fields: readonly BodyField[], body: Body): string {
  const set = fields.flatMap((field) => {
    const value = valueAt(body, field.path);
    if (value === undefined) return [];
    return [`${field.label}: ${canShow(field, body) ? summaryOf(value) : CUSTOM}`];
  });
  if (set.length > 0) return set.join(" · ");
  const labels = fields.map(({ label }) => label);
  return `${labels.slice(0, MOST_NAMED).join(", ")}${labels.length > MOST_NAMED ? ", …" : ""}: default`;
}

const shownFields = (body: Body) => FIELDS.filter((field) => canShow(field, body));

/** The fields of a body that no control shows. */
export const otherFields = (body: Body): Body =>
  shownFields(body).reduce(
    (rest, { path }) => (valueAt(rest, path) === undefined ? rest : withValue(rest, path, undefined)),
    body,
  );

/** Replaces the fields of a body that no control shows. Values shown by a control take precedence over `other`. */
export const withOtherFields = (body: Body, other: Body): Body =>
  shownFields(body).reduce((merged, { path }) => {
    const value = valueAt(body, path);
    return value === undefined ? merged : withValue(merged, path, value);
  }, other);
