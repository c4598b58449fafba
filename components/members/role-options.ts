import { ROLES } from "@/lib/records/members/vocabulary";

const LABELS = {
  "org:owner": "Owner (manages everything, also how members sign in)",
  "org:admin": "Admin (manages everything but owners and sign-in)",
  "org:policy_editor": "Policy editor (guardrails, presets, budgets and alerts)",
  "org:member": "Developer (presets, and their own keys and requests)",
  "org:analyst": "Analyst (log and usage, without prompts and responses)",
  "org:auditor": "Auditor (reads everything, also stored prompts, which is audited)",
  "org:billing": "Billing (usage, budgets and limits)",
} as const satisfies Record<(typeof ROLES)[number], string>;

export const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({ value, label: LABELS[value] }));
