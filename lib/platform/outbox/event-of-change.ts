import type { EventType } from "./vocabulary";

/** A change as recorded in the audit log. */
interface Change {
  action: string;
  before?: unknown;
  after?: unknown;
}

const EVENT_OF: Readonly<Record<string, EventType>> = {
  "guardrail.create": "guardrail.created",
  "guardrail.update": "guardrail.updated",
  "guardrail.restore": "guardrail.updated",
  "guardrail.delete": "guardrail.deleted",
  "guardrail.assign_keys": "guardrail.assignments_changed",
  "guardrail.assign_members": "guardrail.assignments_changed",
  "guardrail.unassign_keys": "guardrail.assignments_changed",
  "guardrail.unassign_members": "guardrail.assignments_changed",
  "guardrail.undo_assignments": "guardrail.assignments_changed",
  "preset.create": "preset.created",
  "preset.create_version": "preset.version_created",
  "key.create": "key.created",
  "key.rotate": "key.rotated",
  "key.delete": "key.deleted",
};

const field = (record: unknown, name: string): unknown =>
  typeof record === "object" && record !== null ? Reflect.get(record, name) : undefined;

/** Returns the event type of a change, or null: changes of members, providers etc. aren't published. */
export function eventOf({ action, before, after }: Change): EventType | null {
  const changes = (name: string) => field(before, name) !== field(after, name);
  if (action === "key.update")
    return changes("disabled") && field(after, "disabled") === true ? "key.disabled" : "key.updated";
  if (action === "workspace.update") return changes("default_guardrail_id") ? "guardrail.assignments_changed" : null;
  const known = EVENT_OF[action];
  if (known || !action.startsWith("preset.")) return known ?? null;
  const designated = (record: unknown) => field(field(record, "designated_version"), "version");
  return designated(before) === designated(after) ? "preset.updated" : "preset.designated";
}
