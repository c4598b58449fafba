import { ProviderProblem } from "./problem";
import type { Refusal } from "./vocabulary";

/** Reasons to refuse a SAML message, by which tests and the audit log tell them apart. */
export type SamlProblem =
  | "too_large"
  | "not_xml"
  | "forbidden_xml"
  | "wrong_structure"
  | "status"
  | "unsigned"
  | "misplaced_signature"
  | "weak_algorithm"
  | "unsupported_algorithm"
  | "wrong_signature"
  | "not_decryptable"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_recipient"
  | "unsolicited"
  | "wrong_request"
  | "not_yet_valid"
  | "expired"
  | "replayed"
  | "no_subject"
  | "incomplete_metadata"
  | "wrong_certificate";

/** Problems of a sign-in that the person began elsewhere, or has left. */
const LOST: readonly SamlProblem[] = ["unsolicited", "wrong_request", "replayed"];

const refusalOf = (problem: SamlProblem): Refusal => (LOST.includes(problem) ? "lost" : "provider");

/** A SAML message or metadata that isn't accepted. The message tells an admin what was expected and found. */
export class SamlError extends ProviderProblem {
  constructor(
    readonly problem: SamlProblem,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, refusalOf(problem));
    this.name = "SamlError";
    this.cause = options.cause;
  }
}

/** Longest value from a message that an error repeats. */
const MAX_QUOTED = 200;

/** A value from a message, as an error shows it. */
export const quoted = (value: string | null | undefined): string =>
  !value ? "none" : `"${value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value}"`;
