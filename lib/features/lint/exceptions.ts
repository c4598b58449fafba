import type { Exception } from "../../records/exceptions/contract";
import { concerns } from "../../records/exceptions/rules";
import type { Layer } from "../../engine/policy/layers";
import type { LintFinding } from "./contract";

const SHOWN = 3;

const holder = ({ key_name, user_name }: Exception) =>
  key_name === null ? `member ${user_name}` : `key “${key_name}”`;
const until = ({ expires_at }: Exception) => `${expires_at.slice(0, 16).replace("T", " ")} UTC`;
const pathOf = ({ field }: Exception) => [field ?? "limit_usd"];

/** Reports active exceptions to the guardrail, and exceptions to rules it no longer has. */
export function lintExceptions(guardrail: Layer["guardrail"], exceptions: readonly Exception[]): LintFinding[] {
  const idle = exceptions.filter((exception) => !concerns(exception, guardrail));
  const held = exceptions.filter((exception) => concerns(exception, guardrail));
  const fields = [...new Set(held.map(({ field }) => field))];
  return [
    ...idle.map((exception): LintFinding => {
      const message = `The exception for ${holder(exception)} until ${until(exception)} refers to a rule that this guardrail doesn’t have, so it has no effect.`;
      return { severity: "warning", code: "exception_without_effect", path: pathOf(exception), message };
    }),
    ...fields.flatMap((field): LintFinding[] => {
      const group = held.filter((exception) => exception.field === field);
      const [first] = group;
      if (!first) return [];
      const shown = group.slice(0, SHOWN).map((exception) => `${holder(exception)} until ${until(exception)}`);
      const more = group.length > SHOWN ? ` and ${group.length - SHOWN} more` : "";
      return [
        {
          severity: "info",
          code: "active_exceptions",
          path: pathOf(first),
          message: `${first.kind === "raise_limit" ? "Raised" : "Lifted"} by an exception for ${shown.join(", ")}${more}.`,
        },
      ];
    }),
  ];
}
