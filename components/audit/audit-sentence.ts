import type { AuditEvent } from "@/lib/platform/audit/contract";

/** Predicates of actions; `{}` stands for the target. */
const PHRASES: Readonly<Record<string, string>> = {
  "access.deny": "was denied {}",
  "exception.create": "granted exception {}",
  "exception.end": "ended exception {}",
  "generation.delete_content": "deleted the content of generation {}",
  "generation.delete_contents": "deleted generation contents in bulk",
  "audit_event.export": "exported the audit log",
  "generation.export": "exported generations",
  "generation.read_content": "read the content of generation {}",
  "generation.read_previews": "read previews in the log",
  "generation.reevaluate": "re-evaluated the content of generation {}",
  "generation.reveal_content": "revealed the content of generation {}",
  "guardrail.assign_keys": "assigned guardrail {} to keys",
  "guardrail.assign_members": "assigned guardrail {} to members",
  "guardrail.create": "created guardrail {}",
  "guardrail.delete": "deleted guardrail {}",
  "guardrail.set_thresholds": "set the warning thresholds of guardrail {}",
  "guardrail.replay": "replayed {} on recorded requests",
  "guardrail.require_tests": "changed the required tests of guardrail {}",
  "guardrail.restore": "restored guardrail {}",
  "guardrail.unassign_keys": "unassigned guardrail {} from keys",
  "guardrail.unassign_members": "unassigned guardrail {} from members",
  "guardrail.undo_assignments": "undid assignments of guardrail {}",
  "guardrail.update": "updated guardrail {}",
  "invitation.accept": "accepted an invitation",
  "key.create": "created key {}",
  "key.delete": "deleted key {}",
  "key.reject": "sent an invalid API key",
  "key.rotate": "rotated key {}",
  "key.update": "updated key {}",
  "key.use": "used key {} in the playground",
  "group.add_members": "added members to group {}",
  "group.create": "created group {}",
  "group.delete": "deleted group {}",
  "group.remove_members": "removed members from group {}",
  "group.update": "updated group {}",
  "member.activate": "reactivated member {}",
  "member.add_passkey": "added a passkey",
  "member.change_password": "changed their password",
  "member.create": "added member {}",
  "member.create_recovery_codes": "created new recovery codes",
  "member.deactivate": "deactivated member {}",
  "member.delete": "removed member {}",
  "member.disable_totp": "turned off two-step verification",
  "member.enable_totp": "turned on two-step verification",
  "member.follow_groups": "changed groups of member {} as the identity provider says",
  "member.link_identity": "linked member {} to an identity provider",
  "member.unlink_identity": "unlinked member {} from an identity provider",
  "member.end_sessions": "signed out member {} everywhere",
  "member.hand_over": "handed over what member {} owns",
  "member.remove_passkey": "removed a passkey",
  "member.reset_password": "reset the password of member {}",
  "member.reset_second_factor": "reset the second factor of member {}",
  "member.update": "updated member {}",
  "model.correct_vendors": "corrected vendors of models",
  "model.create": "added model {}",
  "model.delete": "deleted model {}",
  "model.dismiss_vendor_corrections": "dismissed the notice about corrected vendors",
  "model.update": "updated model {}",
  "organization.update_sign_in": "changed who may sign in by password in organization {}",
  "organization.update": "updated organization {}",
  "policy_test.create": "added policy test {}",
  "policy_test.delete": "deleted policy test {}",
  "policy_test.update": "updated policy test {}",
  "preset.create": "created preset {}",
  "preset.create_version": "created a version of preset {}",
  "preset.remove_label": "removed a label of preset {}",
  "preset.set_label": "moved a label of preset {}",
  "preset.update": "updated preset {}",
  "provider.create": "added provider {}",
  "provider.delete": "deleted provider {}",
  "provider.import_models": "imported models from provider {}",
  "provider.update": "updated provider {}",
  "role.create": "created role {}",
  "role.delete": "deleted role {}",
  "role.update": "updated role {}",
  "saved_view.create": "saved view {}",
  "saved_view.update": "changed view {}",
  "saved_view.delete": "deleted view {}",
  "scim_token.create": "created SCIM token {}",
  "scim_token.delete": "deleted SCIM token {}",
  "session.break_glass": "signed in as the break-glass member",
  "session.end_by_provider": "ended sessions of member {} as the identity provider asked",
  "session.create": "signed in",
  "session.delete": "signed out",
  "session.end_others": "signed out other browsers",
  "session.reauthenticate": "confirmed their identity",
  "session.reject": "failed to sign in as {}",
  "session.revoke": "signed out a browser of member {}",
  "alert.create": "created alert {}",
  "alert.delete": "deleted alert {}",
  "alert.test": "sent a test of alert {}",
  "alert.update": "updated alert {}",
  "export_destination.create": "created export destination {}",
  "export_destination.delete": "deleted export destination {}",
  "export_destination.pause": "paused export destination {}",
  "export_destination.test": "tested export destination {}",
  "export_destination.update": "updated export destination {}",
  "generation.export_content": "exported content to {}",
  "sign_in_connection.create": "added identity provider {}",
  "sign_in_connection.delete": "deleted identity provider {}",
  "sign_in_connection.test": "tested identity provider {}",
  "sign_in_connection.update": "updated identity provider {}",
  "webhook.create": "created webhook {}",
  "webhook.delete": "deleted webhook {}",
  "webhook.disable": "disabled webhook {}",
  "webhook.redeliver": "redelivered an event to webhook {}",
  "webhook.rotate": "rotated the secret of webhook {}",
  "webhook.update": "updated webhook {}",
  "limit.create": "created limit {}",
  "limit.delete": "deleted limit {}",
  "limit.update": "updated limit {}",
  "workload_identity.create": "created workload identity {}",
  "workload_identity.delete": "deleted workload identity {}",
  "workload_identity.exchange": "exchanged a token of workload identity {}",
  "workload_identity.update": "updated workload identity {}",
  "workspace.create": "created workspace {}",
  "workspace.delete": "deleted workspace {}",
  "workspace.update": "updated workspace {}",
};

/** Predicates of actions with a target of another type than usual. */
const OF_TARGET: Readonly<Record<string, string>> = {
  "session.reject sign_in_connection": "failed to sign in with identity provider {}",
};

/** Actions for the filter. */
export const AUDIT_ACTIONS = Object.keys(PHRASES);

const nameOf = ({ name, id }: { name: string | null; id: string | null }) => name ?? id ?? "unknown";

/** The parts of "Grace updated guardrail Production". Unknown actions are shown as is. */
export function auditSentence({ actor, action, target }: AuditEvent): {
  actor: string;
  phrase: string;
  target: string | null;
  rest: string;
} {
  const [phrase = "", rest] = (OF_TARGET[`${action} ${target.type}`] ?? PHRASES[action] ?? `did ${action} to {}`).split(
    "{}",
  );
  return {
    actor: nameOf(actor),
    phrase: phrase.trim(),
    target: rest === undefined ? null : nameOf(target),
    rest: rest?.trim() ?? "",
  };
}

/** Label of an action: "Updated guardrail". */
export function actionLabel(action: string): string {
  const phrase = (PHRASES[action] ?? action).replace(" {}", "");
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}
