import { EMPTY_GUARDRAIL } from "../policy-file/canonical-policy";
import type { FileGuardrail, FileVersion } from "../policy-file/contract";

/** Every settable field of a guardrail, as the file has it: what it leaves out is cleared. */
export const guardrailBody = ({ copy: _, tests: __, tests_required: ___, ...fields }: FileGuardrail) => ({ ...EMPTY_GUARDRAIL, ...fields });

/** The request body that makes a version. */
export const versionBody = ({ config, system_prompt }: FileVersion) => ({ ...config, ...(system_prompt !== undefined && { instructions: system_prompt }) });
