import { createAlert, deleteAlert, updateAlert } from "../features/alerts/contract";
import { defaultsOf } from "../features/alerts/vocabulary";
import type { FileAlert } from "../features/policy-file/contract";
import { CliError } from "./cli-error";
import type { Install } from "./state";
import type { Step } from "./step";

/** Returns every field of a rule except its kind and secret; fields missing in the file get their defaults. */
function bodyOf(alert: FileAlert, install: Install) {
  const { copy: _, kind: __, slack_url: ___, workspace, key, member, guardrail, provider, webhooks, ...fields } = alert;
  return {
    ...defaultsOf(alert.kind),
    emails: [],
    ...fields,
    workspace_id: workspace === undefined ? null : install.workspace(workspace),
    key_hash: key ? install.key(key.workspace, { copy: 1, ...key }) : null,
    user_id: member === undefined ? null : install.member(member.toLowerCase()),
    guardrail_id: guardrail ? install.guardrail(guardrail.workspace, guardrail).id : null,
    provider: provider ?? null,
    webhook_ids: (webhooks ?? []).map(install.webhook),
  };
}

/** Creates, changes or deletes an alert rule. A rule with another kind is replaced, because the kind can't be changed. */
export async function applyAlert({ api, change, wanted, install, environment }: Step): Promise<void> {
  const params = () => ({ id: install.alert(change) });
  if (change.action === "delete") {
    await api.call(deleteAlert, { params: params() });
    return;
  }
  const alert = wanted.alerts?.find(({ name, copy = 1 }) => name === change.name && copy === change.copy);
  if (!alert) throw new CliError("missing in the policy file");
  const body = bodyOf(alert, install);
  const slack_url = alert.slack_url ? (environment[alert.slack_url.env] ?? "") : null;
  const changed = new Set(change.fields.map(({ field }) => field));
  if (change.action === "update" && !changed.has("kind")) {
    await api.call(updateAlert, {
      params: params(),
      body: { ...body, ...(changed.has("slack_url") && { slack_url }) },
    });
    return;
  }
  if (change.action === "update") await api.call(deleteAlert, { params: params() });
  await api.call(createAlert, { body: { ...body, kind: alert.kind, slack_url } });
}
