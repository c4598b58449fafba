import { CODE_EXCHANGES, MOBILE_EXCHANGES, SALES_EXCHANGES, SUPPORT_EXCHANGES, type Exchange } from "./exchanges";
import { DOCUMENTS_EXCHANGES, EVALUATION_EXCHANGES, LABEL_EXCHANGES } from "./exchanges-back-office";
import type { Email } from "./people";

export interface DemoKey {
  name: string;
  /** Monthly limit in USD; null for none. */
  limit: number | null;
  /** True for a limit that never resets. */
  isOnce?: true;
  /** Share of the team's requests, relative to its other keys. */
  share: number;
  /** Models by preference; the later ones are fallbacks of the first. */
  models: readonly [string, ...string[]];
  preset?: string;
}

export interface Team {
  name: string;
  workspace: "default" | "research";
  owner: Email;
  /** Name of the guardrail assigned to its keys. */
  guardrail: string | null;
  tags: readonly string[];
  keys: readonly [DemoKey, ...DemoKey[]];
  app: { title: string; referer: string };
  exchanges: readonly [Exchange, ...Exchange[]];
  instructions: string;
  /** Requests on a working day. */
  requests: number;
  rhythm: "office" | "evenings" | "nightly";
  /** Number and name of the end users that requests name. */
  users: { count: number; prefix: string };
}

/** Teams with their keys and traffic. */
export const TEAMS: readonly [Team, ...Team[]] = [
  {
    name: "Support",
    workspace: "default",
    owner: "priya.raman@example.com",
    guardrail: "Customer data",
    tags: ["env:production", "cost-center:4100"],
    keys: [
      {
        name: "Support: triage bot",
        limit: 2,
        share: 6,
        models: ["openai/gpt-5.6-luna", "anthropic/claude-haiku-4-5"],
        preset: "support-triage",
      },
      { name: "Support: reply drafts", limit: 1, share: 4, models: ["anthropic/claude-haiku-4-5"] },
      { name: "Support: triage bot (staging)", limit: 0.5, share: 0.5, models: ["openai/gpt-5.6-luna"] },
      { name: "Support: macros", limit: 0.5, share: 1, models: ["openai/gpt-5.6-luna"] },
    ],
    app: { title: "Helpdesk", referer: "https://help.example.com" },
    exchanges: SUPPORT_EXCHANGES,
    instructions: "You triage support requests. Answer with a category, an urgency and one sentence.",
    requests: 48,
    rhythm: "office",
    users: { count: 140, prefix: "customer" },
  },
  {
    name: "Platform",
    workspace: "default",
    owner: "tomas.varga@example.com",
    guardrail: "Engineering",
    tags: ["env:production", "cost-center:2200"],
    keys: [
      {
        name: "Platform: code review",
        limit: 25,
        share: 6,
        models: ["anthropic/claude-sonnet-4-6", "openai/gpt-5.6-terra"],
        preset: "code-review",
      },
      { name: "Platform: incident notes", limit: 3, share: 1, models: ["openai/gpt-5.6-terra"] },
      { name: "Platform: CI assistant", limit: 10, share: 3, models: ["openai/gpt-5.6-terra"] },
      { name: "Platform: on-call copilot", limit: 4, share: 1, models: ["anthropic/claude-sonnet-4-6"] },
    ],
    app: { title: "Code Review", referer: "https://git.example.com" },
    exchanges: CODE_EXCHANGES,
    instructions: "You review code. Name defects first, style never.",
    requests: 32,
    rhythm: "office",
    users: { count: 18, prefix: "engineer" },
  },
  {
    name: "Sales",
    workspace: "default",
    owner: "elena.rossi@example.com",
    guardrail: "Office tools",
    tags: ["env:production", "cost-center:3100"],
    keys: [
      {
        name: "Sales: call summaries",
        limit: 1,
        share: 3,
        models: ["google/gemini-3.5-flash-lite", "openai/gpt-4.1-mini"],
        preset: "meeting-summary",
      },
      { name: "Sales: e-mail drafts", limit: 0.5, share: 2, models: ["openai/gpt-4.1-mini"] },
      { name: "Sales: account research", limit: 0.5, share: 1, models: ["google/gemini-3.5-flash-lite"] },
    ],
    app: { title: "Account Desk", referer: "https://crm.example.com" },
    exchanges: SALES_EXCHANGES,
    instructions: "You help account managers. Be brief and concrete.",
    requests: 18,
    rhythm: "office",
    users: { count: 12, prefix: "account-manager" },
  },
  {
    name: "Documents",
    workspace: "default",
    owner: "kwame.mensah@example.com",
    guardrail: "Zero retention",
    tags: ["env:production", "cost-center:4300"],
    keys: [
      {
        name: "Documents: contract extraction",
        limit: 10,
        share: 3,
        models: ["anthropic/claude-sonnet-4-6"],
        preset: "contract-extraction",
      },
      { name: "Documents: invoice reader", limit: 500, isOnce: true, share: 4, models: ["openai/gpt-5.6-terra"] },
      { name: "Documents: translation", limit: 1, share: 2, models: ["mistral/mistral-large-2512"] },
    ],
    app: { title: "Paperless", referer: "https://docs.example.com" },
    exchanges: DOCUMENTS_EXCHANGES,
    instructions: "You read documents. Quote, never guess.",
    requests: 22,
    rhythm: "office",
    users: { count: 9, prefix: "clerk" },
  },
  {
    name: "Mobile",
    workspace: "default",
    owner: "sofia.almeida@example.com",
    guardrail: "Public assistant",
    tags: ["env:production", "cost-center:1200"],
    keys: [
      {
        name: "Mobile: assistant (iOS)",
        limit: 1,
        share: 5,
        models: ["google/gemini-3.5-flash-lite", "openai/gpt-5.6-luna"],
        preset: "friendly-assistant",
      },
      {
        name: "Mobile: assistant (Android)",
        limit: 1,
        share: 4,
        models: ["google/gemini-3.5-flash-lite", "openai/gpt-5.6-luna"],
      },
      { name: "Mobile: voice beta", limit: 0.5, share: 1, models: ["openai/gpt-5.6-luna"] },
    ],
    app: { title: "Pocket Assistant", referer: "https://app.example.com" },
    exchanges: MOBILE_EXCHANGES,
    instructions: "You are a friendly assistant on a phone. Two short paragraphs at most.",
    requests: 55,
    rhythm: "evenings",
    users: { count: 400, prefix: "customer" },
  },
  {
    name: "Evaluations",
    workspace: "research",
    owner: "haruto.sato@example.com",
    guardrail: "Experiments",
    tags: ["env:staging", "cost-center:2600"],
    keys: [
      { name: "Evaluations: nightly run", limit: 20, share: 6, models: ["openai/gpt-5.6-terra"] },
      { name: "Evaluations: judge", limit: 8, share: 3, models: ["google/gemini-3.1-pro-preview"] },
      { name: "Evaluations: red team", limit: 1, share: 1, models: ["mistral/mistral-large-2512"] },
      { name: "Evaluations: scratch", limit: null, share: 0.5, models: ["openai/gpt-5.6-luna"] },
    ],
    app: { title: "Eval Harness", referer: "https://eval.example.com" },
    exchanges: EVALUATION_EXCHANGES,
    instructions: "You are a careful grader. Think first, then answer.",
    requests: 26,
    rhythm: "nightly",
    users: { count: 3, prefix: "suite" },
  },
  {
    name: "Data science",
    workspace: "research",
    owner: "nadia.haddad@example.com",
    guardrail: null,
    tags: ["env:staging", "cost-center:2700"],
    keys: [
      { name: "Data science: notebook", limit: 5, share: 2, models: ["openai/gpt-5.6-terra"] },
      { name: "Data science: labelling", limit: 1, share: 5, models: ["mistral/mistral-small-latest"] },
      { name: "Data science: churn reasons", limit: 0.5, share: 1, models: ["google/gemini-3.5-flash-lite"] },
      { name: "Data science: embeddings trial", limit: null, share: 0.3, models: ["mistral/mistral-small-latest"] },
    ],
    app: { title: "Notebooks", referer: "https://lab.example.com" },
    exchanges: LABEL_EXCHANGES,
    instructions: "You label short texts. Answer with the label alone.",
    requests: 24,
    rhythm: "office",
    users: { count: 5, prefix: "analyst" },
  },
];
