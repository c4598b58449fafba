import type { AuditEvent } from "@/lib/platform/audit/contract";

/** What was done, after who did it; `{}` is what it was done to. */
const PHRASES: Readonly<Record<string, string>> = {
  "exception.create": "granted the exception {}",
  "exception.end": "ended the exception {}",
  "generation.delete_content": "deleted the content of generation {}",
  "generation.delete_contents": "deleted stored contents by a filter",
  "generation.export": "exported generations",
  "generation.read_content": "read the content of generation {}",
  "generation.reveal_content": "revealed the content of generation {}",
  "guardrail.assign_keys": "assigned guardrail {} to keys",
  "guardrail.assign_members": "assigned guardrail {} to members",
  "guardrail.create": "created guardrail {}",
  "guardrail.delete": "deleted guardrail {}",
  "guardrail.set_thresholds": "set the thresholds of guardrail {}",
  "guardrail.replay": "replayed rules of {} on recorded requests",
  "guardrail.require_tests": "changed whether the tests of guardrail {} are required",
  "guardrail.restore": "restored guardrail {}",
  "guardrail.unassign_keys": "took guardrail {} from keys",
  "guardrail.unassign_members": "took guardrail {} from members",
  "guardrail.undo_assignments": "took back assignments of guardrail {}",
  "guardrail.update": "changed guardrail {}",
  "invitation.accept": "accepted their invitation",
  "key.create": "created key {}",
  "key.delete": "deleted key {}",
  "key.rotate": "rotated key {}",
  "key.update": "changed key {}",
  "member.change_password": "changed their password",
  "member.create": "added member {}",
  "member.delete": "removed member {}",
  "member.end_sessions": "signed out member {} everywhere",
  "member.reset_password": "reset the password of member {}",
  "member.update": "changed member {}",
  "model.create": "added model {}",
  "model.delete": "deleted model {}",
  "model.update": "changed model {}",
  "organization.update": "changed organization {}",
  "policy_test.create": "added the policy test {}",
  "policy_test.delete": "deleted the policy test {}",
  "policy_test.update": "changed the policy test {}",
  "preset.create": "created preset {}",
  "preset.create_version": "made a new version of preset {}",
  "preset.remove_label": "removed a label of preset {}",
  "preset.set_label": "moved a label of preset {}",
  "preset.update": "changed preset {}",
  "provider.create": "added provider {}",
  "provider.delete": "deleted provider {}",
  "provider.import_models": "imported models of provider {}",
  "provider.update": "changed provider {}",
  "saved_view.create": "saved view {}",
  "saved_view.delete": "deleted view {}",
  "session.create": "signed in",
  "session.delete": "signed out",
  "session.end_others": "signed out everywhere else",
  "session.revoke": "signed out a browser of member {}",
  "webhook.create": "created webhook {}",
  "webhook.delete": "deleted webhook {}",
  "webhook.disable": "switched off webhook {}",
  "webhook.redeliver": "sent an event to webhook {} again",
  "webhook.rotate": "rotated the secret of webhook {}",
  "webhook.update": "changed webhook {}",
  "workspace.create": "created workspace {}",
  "workspace.delete": "deleted workspace {}",
  "workspace.update": "changed workspace {}",
};

/** Actions to filter by. */
export const AUDIT_ACTIONS = Object.keys(PHRASES);

const nameOf = ({ name, id }: { name: string | null; id: string | null }) => name ?? id ?? "unknown";

/** `Grace changed guardrail Production`, in parts; an action without words is told as it is written. */
export function auditSentence({ actor, action, target }: AuditEvent): {
  actor: string;
  phrase: string;
  target: string | null;
  rest: string;
} {
  const [phrase = "", rest] = (PHRASES[action] ?? `did ${action} to {}`).split("{}");
  return {
    actor: nameOf(actor),
    phrase: phrase.trim(),
    target: rest === undefined ? null : nameOf(target),
    rest: rest?.trim() ?? "",
  };
}

/** An action in a list of choices: `Changed guardrail`. */
export function actionLabel(action: string): string {
  const phrase = (PHRASES[action] ?? action).replace(" {}", "");
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
