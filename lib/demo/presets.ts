import type { z } from "zod";
import type { ResponsesBody } from "../engine/protocols/contracts/responses-request-contract";

type Version = z.input<typeof ResponsesBody>;

interface DemoPreset {
  slug: string;
  description: string;
  /** Oldest first; the last one is designated. */
  versions: readonly Version[];
}

export const PRESETS: readonly DemoPreset[] = [
  {
    slug: "support-triage",
    description: "Triages support requests",
    versions: [
      {
        model: "openai/gpt-5.6-luna",
        instructions: "Sort the request into billing, bug or question.",
        temperature: 0.7,
      },
      {
        model: "openai/gpt-5.6-luna",
        instructions: "Sort the request into billing, bug, account or question. Answer with one word.",
        temperature: 0.2,
      },
      {
        model: "openai/gpt-5.6-luna",
        models: ["anthropic/claude-haiku-4-5"],
        instructions: "Sort the request into billing, bug, account or question, and rate its urgency from 1 to 5.",
        temperature: 0,
        max_output_tokens: 60,
      },
      {
        model: "openai/gpt-5.6-luna",
        models: ["anthropic/claude-haiku-4-5"],
        instructions: "Sort the request into billing, bug, account or question, and rate its urgency from 1 to 5.",
        temperature: 0,
        max_output_tokens: 60,
        provider: { data_collection: "deny", zdr: true },
      },
    ],
  },
  {
    slug: "code-review",
    description: "Reviews merge requests in CI",
    versions: [
      {
        model: "anthropic/claude-sonnet-4-6",
        instructions: "Review the diff. Name defects first.",
        reasoning: { effort: "medium" },
      },
      {
        model: "anthropic/claude-sonnet-4-6",
        instructions: "Review the diff. Name defects with file and line, then risks. Never comment on style.",
        reasoning: { effort: "high" },
        max_output_tokens: 4000,
      },
    ],
  },
  {
    slug: "meeting-summary",
    description: "Summarizes sales calls",
    versions: [
      {
        model: "google/gemini-3.5-flash-lite",
        instructions: "Summarize the meeting in five bullets, decisions first.",
        temperature: 0.3,
        max_output_tokens: 500,
      },
      {
        model: "google/gemini-3.5-flash-lite",
        instructions: "Summarize the meeting: decisions, owners with dates, open questions.",
        temperature: 0.2,
        max_output_tokens: 600,
      },
    ],
  },
  {
    slug: "contract-extraction",
    description: "Extracts contract fields",
    versions: [
      {
        model: "anthropic/claude-sonnet-4-6",
        instructions: "Extract the parties, the term and the notice period.",
        temperature: 0,
      },
      {
        model: "anthropic/claude-sonnet-4-6",
        instructions: "Extract the parties, the term, the notice period and the liability cap. Null when absent.",
        temperature: 0,
        provider: { zdr: true, allow_fallbacks: false },
      },
    ],
  },
  {
    slug: "sql-assistant",
    description: "Writes data warehouse queries",
    versions: [
      { model: "openai/gpt-5.6-terra", instructions: "Write PostgreSQL. Explain nothing.", temperature: 0.1 },
      {
        model: "openai/gpt-5.6-terra",
        instructions: "Write PostgreSQL for the schema that the tool returns.",
        temperature: 0.1,
        tools: [
          {
            type: "function",
            name: "describe_table",
            description: "Describes the columns of a table",
            parameters: { type: "object", properties: { table: { type: "string" } }, required: ["table"] },
          },
        ],
        tool_choice: "auto",
      },
    ],
  },
  {
    slug: "friendly-assistant",
    description: "Voice of the mobile app",
    versions: [
      {
        model: "google/gemini-3.5-flash-lite",
        instructions: "Be kind and brief.",
        temperature: 0.9,
        top_p: 0.95,
        frequency_penalty: 0.2,
      },
    ],
  },
  {
    slug: "plain-translation",
    description: "Translates notices into plain English",
    versions: [
      {
        model: "mistral/mistral-large-2512",
        instructions: "Translate into plain English. Keep names and numbers.",
        temperature: 0.3,
      },
      {
        model: "mistral/mistral-large-2512",
        instructions: "Translate into plain English at reading level B1. Keep names, numbers and lists.",
        temperature: 0.2,
        service_tier: "flex",
      },
      {
        model: "mistral/mistral-large-2512",
        instructions: "Translate into plain English at reading level B1. Keep names, numbers, lists and links.",
        temperature: 0.2,
        service_tier: "flex",
      },
    ],
  },
  {
    slug: "eval-judge",
    description: "Compares two answers",
    versions: [
      { model: "openai/gpt-5.6-terra", instructions: "Answer A or B.", temperature: 0, reasoning: { effort: "low" } },
      {
        model: "openai/gpt-5.6-terra",
        instructions: "Compare both answers with the instruction; end with A, B or TIE.",
        temperature: 0,
        reasoning: { effort: "high" },
      },
    ],
  },
];
