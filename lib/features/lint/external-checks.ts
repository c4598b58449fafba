import type { ExternalCheck } from "../../engine/checks/contract";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { CHECK_DEFAULTS } from "../../engine/checks/vocabulary";
import type { LintFinding } from "./contract";

/** Minimum timeout worth a warning, since every request waits for its checks. */
const LONG_MS = 10_000;

/** Finds external checks that can't be reached, don't authenticate, or may delay requests for long. */
export const lintChecks = (checks: readonly ExternalCheck[], allowPrivate: boolean): LintFinding[] =>
  checks.flatMap(({ name, url, format, secret, has_secret, timeout_ms }, index): LintFinding[] => {
    const at = (field: string) => ["external_checks", index, field];
    const problem = urlProblem(url, allowPrivate);
    const wait = timeout_ms ?? CHECK_DEFAULTS.timeout_ms;
    return [
      ...(problem === null
        ? []
        : [
            {
              severity: "error" as const,
              code: "check_address_not_allowed" as const,
              path: at("url"),
              message: `The URL of “${name}” ${problem}: every request would be rejected.`,
            },
          ]),
      ...(secret || has_secret
        ? []
        : [
            {
              severity: "warning" as const,
              code: "check_without_secret" as const,
              path: at("secret"),
              message:
                format === "litellm"
                  ? `“${name}” is called without a key.`
                  : `“${name}” has no secret: its requests aren't signed, so the endpoint can't tell who calls it.`,
            },
          ]),
      ...(wait <= LONG_MS
        ? []
        : [
            {
              severity: "warning" as const,
              code: "check_deadline_long" as const,
              path: at("timeout_ms"),
              message: `“${name}” may hold every request for up to ${wait / 1000} s before it is rejected.`,
            },
          ]),
    ];
  });
