import { z } from "zod";
import { Email } from "../../platform/account-contract";
import { invalid } from "../../platform/api-error";
import { issueMessage } from "../../platform/http/issue-message";
import { toIssues } from "../../platform/http/issues";
import { newName } from "../../platform/name-contract";
import { storedAttributes } from "./attributes";

/** Length of a first or last name. */
const MAX_NAME = 100;

/** Entra ID sends `"True"` and `"False"`. */
const Active = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i, "must be true or false")])
  .transform((value) => value === true || (typeof value === "string" && value.toLowerCase() === "true"));

const Fields = z.object({
  userName: Email,
  externalId: z.string().trim().min(1).max(255).nullish(),
  name: z
    .object({
      givenName: newName(MAX_NAME, 0).nullish(),
      familyName: newName(MAX_NAME, 0).nullish(),
      formatted: newName(2 * MAX_NAME + 1, 0).nullish(),
    })
    .nullish(),
  displayName: newName(2 * MAX_NAME + 1, 0).nullish(),
  emails: z
    .array(z.looseObject({ value: z.string().max(254).nullish() }))
    .max(20)
    .nullish(),
  active: Active.nullish(),
});

/** What a directory says about a member; an undefined field stays as it is. */
export interface UserFields {
  email: string;
  externalId: string | null | undefined;
  names: { firstName: string | null; lastName: string | null } | undefined;
  /** The name of a member without first and last name. */
  displayName: string | null;
  isActive: boolean | undefined;
}

const orNull = (text: string | null | undefined) => text || null;

/** Validates the attributes of a user; throws one 400 with every problem. */
export function userFields(body: Readonly<Record<string, unknown>>): UserFields {
  const { data, error } = Fields.safeParse(storedAttributes("User", body), { error: issueMessage });
  if (error) throw invalid(error.issues.flatMap((issue) => toIssues(issue)));
  const { name, externalId, displayName, active } = data;
  const [firstName, lastName] = [orNull(name?.givenName), orNull(name?.familyName)];
  const email = data.userName.toLowerCase();
  const shown = orNull(displayName) ?? orNull(name?.formatted);
  return {
    email,
    externalId,
    names: name === undefined ? undefined : { firstName, lastName },
    displayName: shown === null || shown.toLowerCase() === email ? null : shown.slice(0, MAX_NAME).trimEnd(),
    isActive: active ?? undefined,
  };
}
