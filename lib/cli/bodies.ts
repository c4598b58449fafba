import { UNRESTRICTED_FIELDS } from "../records/guardrails/contract";
import type { FileGuardrail, FileVersion } from "../features/policy-file/contract";

/** Returns every settable field of a guardrail; fields missing in the file are cleared. */
export const guardrailBody = ({ copy: _, tests: __, tests_required: ___, ...fields }: FileGuardrail) => ({
  ...UNRESTRICTED_FIELDS,
  ...fields,
});

/** Returns the request body that creates a version. */
export const versionBody = ({ config, system_prompt }: FileVersion) => ({
  ...config,
  ...(system_prompt !== undefined && { instructions: system_prompt }),
});
