import { nameOf } from "./printer";
import type { Planned } from "./state";
import type { Environment } from "./step";

/** Provider fields whose change requires its secrets: stored secrets aren't sent to another origin. */
const ASKING = new Set(["api_key", "credentials", "headers", "base_url", "kind"]);

/** Returns required environment variables that aren't set. */
export function missingSecrets(
  { changes, wanted }: Pick<Planned, "changes" | "wanted">,
  environment: Environment,
): { name: string; needs: string }[] {
  const ofProviders = changes.flatMap((change) => {
    if (
      change.kind !== "provider" ||
      change.action === "delete" ||
      !change.fields.some(({ field }) => ASKING.has(field))
    )
      return [];
    const provider = wanted.providers?.find(({ slug }) => slug === change.name);
    const { api_key, credentials = {}, headers = {} } = provider ?? {};
    const variables = [api_key, ...Object.values(credentials), ...Object.values(headers)].flatMap(
      (secret) => secret?.env ?? [],
    );
    return variables.filter((name) => !environment[name]).map((name) => ({ name, needs: nameOf(change) }));
  });
  const ofGuardrails = changes.flatMap((change) => {
    if (change.kind !== "guardrail" || !change.fields.some(({ field }) => field === "external_checks")) return [];
    const workspace = wanted.workspaces?.find(({ slug }) => slug === change.workspace);
    const guardrail = workspace?.guardrails?.find(({ name, copy = 1 }) => name === change.name && copy === change.copy);
    return (guardrail?.external_checks ?? [])
      .flatMap(({ secret }) => secret?.env ?? [])
      .filter((name) => !environment[name])
      .map((name) => ({ name, needs: nameOf(change) }));
  });
  const ofAlerts = changes.flatMap((change) => {
    const isSent = change.fields.some(({ field }) => field === "slack_url" || field === "kind");
    if (change.kind !== "alert" || change.action === "delete" || !isSent) return [];
    const alert = wanted.alerts?.find(({ name, copy = 1 }) => name === change.name && copy === change.copy);
    const variable = alert?.slack_url?.env;
    return variable === undefined || environment[variable] ? [] : [{ name: variable, needs: nameOf(change) }];
  });
  return [...ofProviders, ...ofGuardrails, ...ofAlerts];
}

/** True when a change of these fields also sends secrets. */
export const sendsSecrets = (fields: readonly { field: string }[]): boolean =>
  fields.some(({ field }) => ASKING.has(field));
