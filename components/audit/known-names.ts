import { useQuery } from "@tanstack/react-query";
import { memberName } from "@/components/members/member-name";
import { useMay } from "@/components/session/user-context";
import { useWorkspaceNames } from "@/components/workspaces/workspace-queries";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import { listKeys } from "@/lib/browser/operations/keys";
import type { AuditEvent } from "@/lib/platform/audit/contract";
import { actorsQuery } from "./audit-queries";

const MOST = 100;

/** Names by ID of members, keys, guardrails and workspaces, and of everything the given events name. */
export function useKnownNames(events: readonly AuditEvent[]): ReadonlyMap<string, string> {
  const canSeeMembers = useMay("members:read");
  const canSeeGuardrails = useMay("guardrails:read");
  const members = useQuery({ ...actorsQuery, enabled: canSeeMembers }).data?.data ?? [];
  const guardrails =
    useQuery({
      ...apiQuery(listGuardrails, { query: { limit: MOST, workspace_id: "all" } }),
      enabled: canSeeGuardrails,
    }).data?.data ?? [];
  const keys = useQuery(apiQuery(listKeys, { query: { limit: MOST } })).data?.data ?? [];
  const workspaces = useWorkspaceNames();
  const named = events.flatMap(({ actor, target }) => [actor, target]);
  return new Map([
    ...workspaces,
    ...named.flatMap(({ id, name }): [string, string][] => (id && name ? [[id, name]] : [])),
    ...guardrails.map(({ id, name }): [string, string] => [id, name]),
    ...keys.flatMap(({ id, hash, name }): [string, string][] => [
      [id, name],
      [hash, name],
    ]),
    ...members.map((member): [string, string] => [member.id, memberName(member)]),
  ]);
}

/** Returns the record with names added to known IDs: "Grace Hopper (user_1)". */
export function withNames(value: unknown, names: ReadonlyMap<string, string>, field = ""): unknown {
  if (typeof value === "string") {
    const name = field === "id" || field === "hash" ? undefined : names.get(value);
    return name === undefined ? value : `${name} (${value})`;
  }
  if (Array.isArray(value)) return value.map((entry: unknown) => withNames(entry, names, field));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withNames(entry, names, key)]));
}
