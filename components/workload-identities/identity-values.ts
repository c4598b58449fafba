import type { Resolver } from "react-hook-form";
import { z } from "zod";
import { fieldErrors } from "@/components/form/field-errors";
import { formResolver } from "@/components/form/form-resolver";
import type { NameValue } from "@/components/form/name-value-rows";
import { CreateWorkloadIdentityBody, type WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { LIFETIME_SECONDS } from "@/lib/records/workload-identities/vocabulary";
import { minutesOf, SECONDS_PER_MINUTE } from "./lifetime-text";
import { PLATFORMS } from "./platforms";

export interface IdentityValues {
  name: string;
  issuer: string;
  audience: string;
  /** The subject. It has the name of the API's field, whose errors it shows. */
  claims: string;
  further: readonly NameValue[];
  /** JSON; empty for keys that are discovered at the issuer. */
  jwks: string;
  minutes: number | null;
}

export const newValues = (audience: string): IdentityValues => ({
  name: "",
  issuer: PLATFORMS.github.issuer,
  audience,
  claims: "",
  further: [],
  jwks: "",
  minutes: minutesOf(LIFETIME_SECONDS.default),
});

export const valuesOf = ({
  name,
  issuer,
  audience,
  claims: { sub = "", ...further },
  jwks,
  lifetime_seconds,
}: WorkloadIdentity): IdentityValues => ({
  name,
  issuer,
  audience,
  claims: sub,
  further: Object.entries(further).map(([claim, value]) => ({ name: claim, value })),
  jwks: jwks === null ? "" : JSON.stringify(jwks, null, 2),
  minutes: minutesOf(lifetime_seconds),
});

/** Returns invalid JSON as a string, which the schema rejects. */
function readJson(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const bodyOf = ({
  name,
  issuer,
  audience,
  claims,
  further,
  jwks,
  minutes,
}: IdentityValues): CreateWorkloadIdentityBody => ({
  name,
  issuer: issuer.trim(),
  audience,
  claims: Object.fromEntries([
    ["sub", claims.trim()],
    ...further.filter((claim) => claim.name !== "" && claim.value !== "").map((claim) => [claim.name, claim.value]),
  ]) as CreateWorkloadIdentityBody["claims"],
  jwks: readJson(jwks) as CreateWorkloadIdentityBody["jwks"],
  lifetime_seconds: Math.round((minutes ?? 0) * SECONDS_PER_MINUTE),
});

function furtherProblem(further: IdentityValues["further"]): string | null {
  const given = further.filter(({ name, value }) => name !== "" || value !== "");
  if (given.some(({ name, value }) => name === "" || value === "")) return "Each claim must have a name and a value";
  const names = new Set(["sub", ...given.map(({ name }) => name)]);
  return names.size <= given.length ? "Each claim can be given only once" : null;
}

const firstMessage = (error: unknown): string | undefined => fieldErrors(error)[0];

const LIFETIME_PROBLEM = `must be from ${minutesOf(LIFETIME_SECONDS.min)} to ${minutesOf(LIFETIME_SECONDS.max)}`;

/** Messages in the words of the form for errors that the schema has found. */
const messagesOf = (errors: Readonly<Record<string, unknown>>, { claims, jwks }: IdentityValues) => ({
  name: firstMessage(errors["name"]),
  issuer: firstMessage(errors["issuer"]),
  audience: firstMessage(errors["audience"]),
  claims: errors["claims"] && claims.trim() === "" ? "Subject is required" : firstMessage(errors["claims"]),
  jwks: errors["jwks"] && typeof readJson(jwks) === "string" ? "must be JSON" : firstMessage(errors["jwks"]),
  minutes: errors["lifetime_seconds"] && LIFETIME_PROBLEM,
});

const checkBody = formResolver(z.transform(bodyOf).pipe(CreateWorkloadIdentityBody));

/** Validates with the schema of the request, whose nested errors it shows at the form's fields. */
export const checkIdentity: Resolver<IdentityValues> = async (values, context, options) => {
  const checked = await checkBody(values, context, options);
  const messages = { ...messagesOf(checked.errors, values), further: furtherProblem(values.further) };
  const errors = Object.entries(messages).flatMap(([name, message]) =>
    message ? [[name, { type: "invalid", message }] as const] : [],
  );
  return errors.length > 0 ? { values: {}, errors: Object.fromEntries(errors) } : { values, errors: {} };
};
