import type { z } from "zod";

type RawIssue = z.core.$ZodRawIssue;
type JsonObject = Record<string, unknown>;

const MISSING: ReadonlySet<string> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

/** A missing field is reported as missing, not as a wrong type. */
function missing(issue: RawIssue): string | undefined {
  const { code, input, discriminator } = issue;
  if (code === "invalid_union" && typeof discriminator === "string")
    return (input as JsonObject)[discriminator] === undefined ? "is required" : undefined;
  if (input !== undefined || !MISSING.has(code)) return undefined;
  const values = code === "invalid_value" ? issue.values : [];
  return values.length > 1 ? `is required: one of ${values.join(", ")}` : "is required";
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  url: "an http or https URL",
  email: "an email address",
  datetime: "a time in ISO 8601",
  date: "a date in ISO 8601",
};

const UNITS: Readonly<Record<string, string>> = { string: "character", array: "entry", set: "entry" };
const PLURALS: Readonly<Record<string, string>> = { character: "characters", entry: "entries" };

function limit(bound: "least" | "most", origin: string, value: number | bigint, isInclusive: boolean): string {
  const unit = UNITS[origin];
  const amount = value.toLocaleString("en");
  if (unit !== undefined) return `must have at ${bound} ${amount} ${Number(value) === 1 ? unit : PLURALS[unit]}`;
  if (isInclusive) return `must be at ${bound} ${amount}`;
  return `must be ${bound === "least" ? "greater" : "less"} than ${amount}`;
}

/** Returns the message of an issue without a message in the schema: the rule, in the API's words. */
export function issueMessage(issue: RawIssue): string | undefined {
  const absent = missing(issue);
  if (absent !== undefined) return absent;
  switch (issue.code) {
    case "invalid_type": {
      const type = TYPES[issue.expected];
      return type && `must be ${type}`;
    }
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      return limit("least", issue.origin, issue.minimum, issue.inclusive ?? true);
    case "too_big":
      return limit("most", issue.origin, issue.maximum, issue.inclusive ?? true);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format": {
      const format = FORMATS[issue.format];
      return format && `must be ${format}`;
    }
    case "invalid_union":
      return "has an unsupported type";
    case "invalid_key":
    case "invalid_element":
    case "unrecognized_keys":
    case "custom":
      return undefined;
  }
}
