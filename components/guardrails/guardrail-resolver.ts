import { formResolver } from "@/components/form/form-resolver";

export const guardrailResolver = formResolver(() =>
  import("./guardrail-schema").then(({ CheckedGuardrail }) => CheckedGuardrail),
);
