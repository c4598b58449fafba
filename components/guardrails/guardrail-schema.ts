import { GuardrailFields } from "@/lib/guardrails/contract";

/** The handler's own check of patterns; its engine is loaded when it is needed. Without it the server's answer decides alone. */
const patternCheck = () =>
  import("@/lib/guardrails/policy").then(({ patternIssues }) => patternIssues).catch(() => () => []);

/** The editor's values, checked as the server checks what it is sent. */
export const CheckedGuardrail = GuardrailFields.superRefine(
  async ({ content_filters }, context) => {
    if (!content_filters?.length) return;
    const patternIssues = await patternCheck();
    for (const { path, message } of patternIssues(content_filters))
      context.addIssue({ code: "custom", path: [...path], message });
  },
  { when: () => true },
);
