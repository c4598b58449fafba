import { dictionary } from "@zxcvbn-ts/language-common";
import type { Issue } from "../../platform/api-error";

/** Digits and symbols that people append to a common word to satisfy a rule. */
const APPENDED = /[\d\W_]{1,4}$/;
const PRODUCT = "signalbox";

let known: ReadonlySet<string> | undefined;
const commonPasswords = () => (known ??= new Set([...dictionary["passwords-common"], PRODUCT]));

/**
 * True for a password that attackers guess first, even with a few digits or symbols appended, and for the email
 * address.
 */
export function isCommonPassword(password: string, email = ""): boolean {
  const text = password.toLowerCase();
  const address = email.toLowerCase();
  const candidates = [text, text.replace(APPENDED, "")];
  if (address !== "" && candidates.some((candidate) => [address, address.split("@")[0]].includes(candidate)))
    return true;
  return candidates.some((candidate) => commonPasswords().has(candidate));
}

/** Returns the problem of a new password in a field of a request body, for `inspected`. */
export const inspectPassword =
  (field: "password" | "new_password") =>
  ({ [field]: password, email }: Record<string, unknown>): Issue[] =>
    typeof password === "string" && isCommonPassword(password, typeof email === "string" ? email : "")
      ? [{ path: [field], message: "is too easy to guess", code: "common_password" }]
      : [];
