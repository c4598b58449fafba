import { UNRESTRICTED_FIELDS } from "../engine/policy/contract";
import type { FileCheck, FileGuardrail, FileVersion } from "../features/policy-file/contract";

/**
 * Returns every settable field of a guardrail; fields missing in the file are cleared. Without `secretOf`, the secrets
 * of external checks are left out, so that stored ones remain.
 */
export const guardrailBody = (
  { copy: _, tests: __, tests_required: ___, external_checks, ...fields }: FileGuardrail,
  secretOf?: (secret: FileCheck["secret"]) => string | null,
) => ({
  ...UNRESTRICTED_FIELDS,
  ...fields,
  external_checks:
    external_checks?.map(({ secret, ...check }) => ({ ...check, ...(secretOf && { secret: secretOf(secret) }) })) ??
    null,
});

/** Returns the request body that creates a version. */
export const versionBody = ({ config, system_prompt }: FileVersion) => ({
  ...config,
  ...(system_prompt !== undefined && { instructions: system_prompt }),
});
