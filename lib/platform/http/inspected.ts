import type { Env } from "../env";
import type { Issue } from "../api-error";

/** Returns problems of a body that its schema can't express; reported together with schema errors. */
export type Inspect = (body: Record<string, unknown>, settings: Env) => readonly Issue[];

export interface Inspected {
  readonly inspect: Inspect;
}

/** Attaches the inspection of a body to its service, so that a route can't omit it. */
export const inspected = <Service extends (...input: never[]) => unknown>(
  inspect: Inspect,
  service: Service,
): Service & Inspected => Object.assign(service, { inspect });
