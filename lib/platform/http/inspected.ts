import type { Env } from "../env";
import type { Issue } from "../api-error";

/** Problems of a body that its schema can't express; reported together with the schema's own. */
export type Inspect = (body: Record<string, unknown>, settings: Env) => readonly Issue[];

export interface Inspected {
  readonly inspect: Inspect;
}

/** A service together with the inspection of its body, so that no route can join one without the other. */
export const inspected = <Service extends (...input: never[]) => unknown>(
  inspect: Inspect,
  service: Service,
): Service & Inspected => Object.assign(service, { inspect });
