import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { CliError } from "./cli-error";

/** A vendor's figures for a model on a day; null where the file has no such column. */
export interface VendorUsage {
  day: string;
  /** The vendor's name of the model. */
  model: string;
  requests: number | null;
  /** All prompt tokens, including cached ones. */
  prompt: number | null;
  cached: number | null;
  completion: number | null;
  /** Micro-USD. */
  cost: number | null;
  /** Number of rows; each can be rounded. */
  rows: number;
}

export interface UsageFile {
  format: string;
  usage: VendorUsage[];
}

type Row = Readonly<Record<string, string>>;

interface Format {
  name: string;
  /** Columns that identify the format. */
  columns: readonly string[];
  read: (row: Row) => Omit<VendorUsage, "rows"> | null;
}

const number = (text: string | undefined): number => {
  const value = Number((text ?? "").replaceAll(",", "").trim() || "0");
  if (!Number.isFinite(value)) throw new CliError(`Not a number: ${text}`);
  return value;
};
const sum = (row: Row, columns: readonly string[]): number =>
  columns.reduce((total, column) => total + number(row[column]), 0);
const microUsd = (text: string | undefined): number => Math.round(number(text) * 1_000_000);

/** Returns the UTC day of a date, an ISO timestamp or Unix seconds. */
function dayOf(text: string | undefined): string {
  const given = (text ?? "").trim();
  if (/^\d{4}-\d{2}-\d{2}$/.test(given)) return given;
  const date = /^\d{9,11}(?:\.\d+)?$/.test(given) ? new Date(Number(given) * 1000) : new Date(given);
  if (Number.isNaN(date.getTime())) throw new CliError(`Not a date: ${given || "(empty)"}`);
  return date.toISOString().slice(0, 10);
}

const ANTHROPIC_INPUTS = [
  "usage_input_tokens_no_cache",
  "usage_input_tokens_cache_write_5m",
  "usage_input_tokens_cache_write_1h",
  "usage_input_tokens_cache_write",
  "usage_input_tokens_cache_read",
];
const NO_TOKENS = { requests: null, prompt: null, cached: null, completion: null };

/** Formats of exports from OpenAI's usage dashboard and Anthropic's console. The first format whose columns exist is used. */
const FORMATS: readonly Format[] = [
  {
    name: "OpenAI usage",
    columns: ["start_time", "model", "input_tokens", "output_tokens"],
    read: (row) => ({
      day: dayOf(row["start_time_iso"] || row["start_time"]),
      model: row["model"] ?? "",
      requests: "num_model_requests" in row ? number(row["num_model_requests"]) : null,
      prompt: number(row["input_tokens"]),
      cached: "input_cached_tokens" in row ? number(row["input_cached_tokens"]) : null,
      completion: number(row["output_tokens"]),
      cost: null,
    }),
  },
  {
    name: "OpenAI costs",
    columns: ["start_time", "amount_value", "line_item"],
    // A line item is a model and a kind of tokens: "gpt-4o-2024-08-06, input".
    read: (row) => ({
      day: dayOf(row["start_time_iso"] || row["start_time"]),
      model: (row["line_item"] ?? "").split(",")[0] ?? "",
      ...NO_TOKENS,
      cost: microUsd(row["amount_value"]),
    }),
  },
  {
    name: "Anthropic usage",
    columns: ["usage_date_utc", "model_version", "usage_input_tokens_no_cache", "usage_output_tokens"],
    read: (row) => ({
      day: dayOf(row["usage_date_utc"]),
      model: row["model_version"] ?? "",
      requests: null,
      prompt: sum(row, ANTHROPIC_INPUTS),
      cached: number(row["usage_input_tokens_cache_read"]),
      completion: number(row["usage_output_tokens"]),
      cost: null,
    }),
  },
  {
    name: "Anthropic costs",
    columns: ["usage_date_utc", "model", "cost_usd"],
    read: (row) => ({
      day: dayOf(row["usage_date_utc"]),
      model: row["model"] ?? "",
      ...NO_TOKENS,
      cost: microUsd(row["cost_usd"]),
    }),
  },
];

/**
 * Normalizes a model's name for comparison: without its date, and spelled as in the API. `Claude Haiku 4.5` and
 * `claude-haiku-4-5-20251001` are the same.
 */
export const comparable = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, "")
    .trim()
    .replaceAll(/[\s._:]+/g, "-")
    .replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "");

const added = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : a + b);

/** Adds up the rows of each day and model. */
export function totals(rows: readonly Omit<VendorUsage, "rows">[]): VendorUsage[] {
  const groups = new Map<string, VendorUsage>();
  for (const row of rows) {
    const model = comparable(row.model);
    const key = `${row.day} ${model}`;
    const group = groups.get(key);
    groups.set(
      key,
      group
        ? {
            ...group,
            requests: added(group.requests, row.requests),
            prompt: added(group.prompt, row.prompt),
            cached: added(group.cached, row.cached),
            completion: added(group.completion, row.completion),
            cost: added(group.cost, row.cost),
            rows: group.rows + 1,
          }
        : { ...row, model, rows: 1 },
    );
  }
  return [...groups.values()].toSorted((a, b) => a.day.localeCompare(b.day) || a.model.localeCompare(b.model));
}

/** Parses a vendor's export. Throws `CliError` with the line of the first problem. */
export function parseUsage(name: string, text: string): UsageFile {
  let rows: Row[];
  try {
    rows = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    throw new CliError(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [first] = rows;
  if (!first) throw new CliError(`${name}: the file has no rows`);
  const format = FORMATS.find(({ columns }) => columns.every((column) => column in first));
  if (!format) {
    const known = FORMATS.map((one) => `  ${one.name}: ${one.columns.join(", ")}`).join("\n");
    throw new CliError(`${name}: unknown columns. Supported exports and their columns:\n${known}`);
  }
  const read = rows.flatMap((row, index) => {
    try {
      return format.read(row) ?? [];
    } catch (error) {
      throw new CliError(`${name}:${index + 2}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  // Empty time buckets have no model.
  return { format: format.name, usage: totals(read.filter(({ model }) => model.trim() !== "")) };
}

export async function readUsage(path: string): Promise<UsageFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CliError(`Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return parseUsage(path, text);
}
