import { UNRESTRICTED_FIELDS } from "../records/guardrails/contract";
import type { FileGuardrail, FileVersion } from "../features/policy-file/contract";

/** Every settable field of a guardrail, as the file has it: what it leaves out is cleared. */
export const guardrailBody = ({ copy: _, tests: __, tests_required: ___, ...fields }: FileGuardrail) => ({
  ...UNRESTRICTED_FIELDS,
  ...fields,
});

/** The request body that makes a version. */
export const versionBody = ({ config, system_prompt }: FileVersion) => ({
  ...config,
  ...(system_prompt !== undefined && { instructions: system_prompt }),
});
