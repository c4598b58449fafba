import { formResolver } from "@/components/form/form-resolver";
import { GuardrailFields } from "@/lib/records/guardrails/contract";

/** The server's own pattern check; the regex engine is loaded on demand. Without it, only the server validates. */
const patternCheck = () =>
  import("@/lib/records/guardrails/policy").then(({ patternIssues }) => patternIssues).catch(() => () => []);

/** Editor values, validated with the server's own rules. */
export const guardrailResolver = formResolver(
  GuardrailFields.superRefine(
    async ({ content_filters }, context) => {
      if (!content_filters?.length) return;
      const patternIssues = await patternCheck();
      for (const { path, message } of patternIssues(content_filters))
        context.addIssue({ code: "custom", path: [...path], message });
    },
    { when: () => true },
  ),
);
