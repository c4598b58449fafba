import { nameOf } from "./printer";
import type { Planned } from "./state";
import type { Environment } from "./step";

/** Fields of a provider whose change needs its secrets: a base URL of another origin is never sent the old ones. */
const ASKING = new Set(["api_key", "headers", "base_url"]);

/** Variables that a plan needs and that are not set. */
export function missingSecrets(
  { changes, wanted }: Pick<Planned, "changes" | "wanted">,
  environment: Environment,
): { name: string; needs: string }[] {
  return changes.flatMap((change) => {
    if (
      change.kind !== "provider" ||
      change.action === "delete" ||
      !change.fields.some(({ field }) => ASKING.has(field))
    )
      return [];
    const provider = wanted.providers?.find(({ slug }) => slug === change.name);
    const variables = [provider?.api_key, ...Object.values(provider?.headers ?? {})].flatMap(
      (secret) => secret?.env ?? [],
    );
    return variables.filter((name) => !environment[name]).map((name) => ({ name, needs: nameOf(change) }));
  });
}

/** Whether a change of these fields sends the secrets, too. */
export const sendsSecrets = (fields: readonly { field: string }[]): boolean =>
  fields.some(({ field }) => ASKING.has(field));
