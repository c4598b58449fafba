import type { AuditEvent } from "@/lib/audit/contract";

/** What was done, after who did it; `{}` is what it was done to. */
const PHRASES: Readonly<Record<string, string>> = {
  "generation.delete_content": "deleted the content of generation {}",
  "guardrail.assign_keys": "assigned guardrail {} to keys",
  "guardrail.assign_members": "assigned guardrail {} to members",
  "guardrail.create": "created guardrail {}",
  "guardrail.delete": "deleted guardrail {}",
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
  "organization.update": "renamed organization {}",
  "preset.create": "created preset {}",
  "preset.create_version": "made a new version of preset {}",
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
  "workspace.create": "created workspace {}",
  "workspace.delete": "deleted workspace {}",
  "workspace.update": "changed workspace {}",
};

/** Actions to filter by. */
export const AUDIT_ACTIONS = Object.keys(PHRASES);

const nameOf = ({ name, id }: { name: string | null; id: string | null }) => name ?? id ?? "unknown";

/** `Grace changed guardrail Production`, in parts; an action without words is told as it is written. */
export function auditSentence({ actor, action, target }: AuditEvent): { actor: string; phrase: string; target: string | null; rest: string } {
  const [phrase = "", rest] = (PHRASES[action] ?? `did ${action} to {}`).split("{}");
  return { actor: nameOf(actor), phrase: phrase.trim(), target: rest === undefined ? null : nameOf(target), rest: rest?.trim() ?? "" };
}

/** An action in a list of choices: `Changed guardrail`. */
export function actionLabel(action: string): string {
  const phrase = (PHRASES[action] ?? action).replace(" {}", "");
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
