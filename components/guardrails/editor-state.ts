import { parseAsStringLiteral } from "nuqs/server";

export const TOOLS = ["summary", "problems", "impact", "tests", "try"] as const;
export type Tool = (typeof TOOLS)[number];

/** URL state of the guardrail editor: the tool beside the form. */
export const EDITOR_STATE = { tool: parseAsStringLiteral(TOOLS).withDefault("summary") };
