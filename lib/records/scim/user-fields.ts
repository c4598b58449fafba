import { z } from "zod";
import { Email } from "../../platform/account-contract";
import { withoutDirections } from "../../platform/name-contract";
import { storedAttributes } from "./attributes";
import { validated } from "./validated";

/** Length of a first or last name. */
const MAX_NAME = 100;

/** Entra ID sends `"True"` and `"False"`. */
const Active = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i, "must be true or false")])
  .transform((value) => value === true || (typeof value === "string" && value.toLowerCase() === "true"));

/** A first or last name; an empty one is none. */
const Name = z
  .string()
  .transform(withoutDirections)
  .pipe(z.string().trim().max(MAX_NAME))
  .transform((text) => text || null)
  .nullish();

/** A full name of any length, because most aren't stored. */
const FullName = z
  .string()
  .transform((text) => withoutDirections(text).trim() || null)
  .nullish();

const Fields = z.object({
  userName: Email.transform((text) => text.toLowerCase()),
  externalId: z.string().trim().min(1).max(255).nullish(),
  name: z.object({ givenName: Name, familyName: Name, formatted: FullName }).nullish(),
  displayName: FullName,
  active: Active.nullish(),
});
const ChangedFields = Fields.partial({ userName: true });

/** What a directory says about a member; an undefined field stays as it is. */
export interface UserFields {
  email: string | undefined;
  externalId: string | null | undefined;
  firstName: string | null | undefined;
  lastName: string | null | undefined;
  /** The name of a member without other names. */
  displayName: string | null;
  isActive: boolean | undefined;
}

function toFields({ userName, externalId, name, displayName, active }: z.output<typeof ChangedFields>): UserFields {
  return {
    email: userName,
    externalId,
    firstName: name === null ? null : name?.givenName,
    lastName: name === null ? null : name?.familyName,
    displayName: displayName ?? name?.formatted ?? null,
    isActive: active ?? undefined,
  };
}

/** Validates the attributes of a user. A name without a part has none. */
export function userFields(body: Readonly<Record<string, unknown>>): UserFields & { email: string } {
  const { name, ...fields } = validated(Fields, storedAttributes("User", body));
  const whole = name && { ...name, givenName: name.givenName ?? null, familyName: name.familyName ?? null };
  return { ...toFields({ ...fields, name: whole }), email: fields.userName };
}

/** Validates the attributes of a user that a PATCH changes. Others may be stored in a form that is no longer accepted. */
export const changedUserFields = (changed: Readonly<Record<string, unknown>>): UserFields =>
  toFields(validated(ChangedFields, changed));

interface Names {
  firstName: string | null;
  lastName: string | null;
}

/** Returns a full name as first name, without half a character at its end. */
const shortened = (name: string) =>
  name
    .slice(0, MAX_NAME)
    .replace(/\p{Cs}$/u, "")
    .trimEnd();

/**
 * Returns the names to store: first and last name, or the display name as first name for a member without a last name. The address
 * isn't a name: directories send it back because members without a name are shown with it.
 */
export function namesOf(fields: UserFields, email: string, before: Names): Names {
  const { firstName = before.firstName, lastName = before.lastName, displayName } = fields;
  const isNamed = (fields.firstName ?? fields.lastName ?? null) !== null;
  return isNamed || lastName !== null || displayName === null || displayName.toLowerCase() === email
    ? { firstName, lastName }
    : { firstName: shortened(displayName), lastName };
}
