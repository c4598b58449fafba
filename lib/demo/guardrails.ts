import type { z } from "zod";
import type { CreateGuardrailBody } from "../records/guardrails/contract";
import type { Email } from "./people";

interface DemoGuardrail {
  workspace: "default" | "research";
  members?: readonly Email[];
  fields: z.input<typeof CreateGuardrailBody>;
}

const SANDBOX = ["sandbox/echo", "sandbox/reasoner", "sandbox/unavailable"];

export const GUARDRAILS: readonly DemoGuardrail[] = [
  {
    workspace: "default",
    fields: {
      name: "Everybody",
      description: "Applies to every key in the workspace",
      ignored_models: ["example-labs/preview-1"],
      content_filter_builtins: [{ slug: "regex-prompt-injection", action: "flag" }],
    },
  },
  {
    workspace: "default",
    fields: {
      name: "Customer data",
      description: "Protects personal data in customer messages",
      allowed_models: [...SANDBOX, "openai/gpt-5.6-luna", "openai/gpt-4.1-mini", "anthropic/claude-haiku-4-5"],
      limit_usd: 5,
      reset_interval: "monthly",
      enforce_zdr: true,
      content_filter_builtins: [
        { slug: "email", action: "redact" },
        { slug: "phone", action: "redact" },
        { slug: "credit-card", action: "block" },
        { slug: "ssn", action: "block" },
      ],
      content_filters: [{ pattern: "\\bCUST-[0-9]{6}\\b", label: "[CUSTOMER]", action: "redact" }],
    },
  },
  {
    workspace: "default",
    fields: {
      name: "Engineering",
      description: "Allows code, but no credentials",
      ignored_providers: ["example-cheap-host"],
      limit_usd: 3,
      reset_interval: "daily",
      content_filters: [
        { pattern: "AKIA[0-9A-Z]{16}", label: "[ACCESS_KEY]", action: "block" },
        { pattern: "-----BEGIN [A-Z ]*PRIVATE KEY-----", label: "[PRIVATE_KEY]", action: "block" },
      ],
    },
  },
  {
    workspace: "default",
    fields: {
      name: "Office tools",
      description: "Drafts and summaries with inexpensive models",
      allowed_models: [...SANDBOX, "openai/gpt-4.1-mini", "google/gemini-3.5-flash-lite"],
      limit_usd: 2,
      reset_interval: "monthly",
      content_filter_builtins: [{ slug: "phone", action: "redact" }],
    },
  },
  {
    workspace: "default",
    fields: {
      name: "Zero retention",
      description: "Contracts and invoices: zero-retention endpoints only",
      enforce_zdr: true,
      enforce_zdr_other: true,
      limit_usd: 15,
      reset_interval: "monthly",
    },
  },
  {
    workspace: "default",
    fields: {
      name: "Public assistant",
      description: "For input from the public",
      allowed_models: [...SANDBOX, "google/gemini-3.5-flash-lite", "openai/gpt-5.6-luna"],
      limit_usd: 1,
      reset_interval: "daily",
      content_filter_builtins: [
        { slug: "regex-prompt-injection", action: "block", scan_scope: "user_only" },
        { slug: "address", action: "redact" },
        { slug: "person-name", action: "redact" },
      ],
    },
  },
  {
    workspace: "default",
    members: ["liam.byrne@example.com", "chloe.dubois@example.com", "mateo.garcia@example.com"],
    fields: {
      name: "Newcomers",
      description: "Small budget for the first weeks",
      limit_usd: 5,
      reset_interval: "weekly",
      allowed_models: SANDBOX,
    },
  },
  {
    workspace: "default",
    members: ["priya.raman@example.com", "kwame.mensah@example.com"],
    fields: {
      name: "Reviewed providers",
      description: "Providers with reviewed contracts",
      allowed_providers: ["sandbox", "openai", "anthropic", "mistral"],
      enforce_zdr_vendor_b: true,
    },
  },
  {
    workspace: "research",
    fields: {
      name: "Experiments",
      description: "Any model, within a budget",
      limit_usd: 10,
      reset_interval: "weekly",
    },
  },
  {
    workspace: "research",
    fields: {
      name: "Retired: spring campaign",
      description: "Kept for its history",
      limit_usd: 200,
      content_filters: [{ pattern: "spring(-| )?sale", action: "flag" }],
    },
  },
];

/** The default guardrail of the default workspace. */
export const DEFAULT_GUARDRAIL = "Everybody";
