import type { AuditEvent } from "@/lib/platform/audit/contract";

/** Reads a text field of the changed record. */
function recorded({ before, after }: AuditEvent, field: string): string | null {
  const record: unknown = after ?? before;
  const value =
    typeof record === "object" && record !== null
      ? new Map<string, unknown>(Object.entries(record)).get(field)
      : undefined;
  return typeof value === "string" ? value : null;
}

const path = (base: string, name: string | null) => (name === null ? null : base + encodeURIComponent(name));

/** Page of an event's target; null if there is none or it was deleted. */
export function targetHref(event: AuditEvent): string | null {
  const { type, id, name } = event.target;
  if (event.action.endsWith(".delete") && type !== "member") return null;
  if (type === "guardrail") return path("/guardrails/", id);
  if (type === "generation") return path("/generations/", id);
  if (type === "member") return path("/members/", id);
  if (type === "preset") return path("/presets/", name);
  if (type === "key") return path("/keys/", recorded(event, "hash"));
  if (type === "provider") return path("/providers/", recorded(event, "slug"));
  if (type === "model") return path("/providers?tab=models&model=", recorded(event, "slug"));
  if (type === "alert") return path("/alerts?alert=", id);
  if (type === "workspace") return path("/settings?tab=workspaces&edit=", id);
  return type === "organization" ? "/settings" : null;
}
