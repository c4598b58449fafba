import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { formatCount } from "@/components/generations/generation-format";
import type { Coverage } from "@/lib/features/coverage/contract";

export const GAPS = ["keys", "members", "limits", "guardrails"] as const;
export type Gap = (typeof GAPS)[number];

/** URL state: the workspace and the selected gap. */
export const COVERAGE_STATE = { workspace: parseAsString, gap: parseAsStringLiteral(GAPS).withDefault("keys") };

export const GAP_LABELS: Readonly<Record<Gap, { tab: string; table: string; none: string }>> = {
  keys: {
    tab: "Keys without a guardrail",
    table: "Keys without a guardrail",
    none: "Every active key has a guardrail.",
  },
  members: {
    tab: "Members without a guardrail",
    table: "Members without a guardrail",
    none: "Every member has a guardrail.",
  },
  limits: {
    tab: "Keys without a limit",
    table: "Keys without a limit",
    none: "Every active key has a limit, its own or from a guardrail.",
  },
  guardrails: {
    tab: "Unused guardrails",
    table: "Unused guardrails",
    none: "Every guardrail is assigned.",
  },
};

/** One key, member or guardrail of a gap. */
export interface GapRow {
  id: string;
  name: string;
  /** Unique ID of the row. */
  detail: string | null;
  href: string;
  /** Null for members, which belong to no workspace. */
  workspaceId: string | null;
}

/** Rows of a gap and their total number. */
export function rowsOf(
  gap: Gap,
  { uncovered_keys, uncovered_members, unlimited_keys, unassigned_guardrails }: Coverage,
): { rows: GapRow[]; total: number } {
  if (gap === "members") {
    const rows = uncovered_members.data.map(({ user_id, name, email }) => ({
      id: user_id,
      name,
      detail: name === email ? null : email,
      href: `/members/${user_id}`,
      workspaceId: null,
    }));
    return { rows, total: uncovered_members.total_count };
  }
  if (gap === "guardrails") {
    const rows = unassigned_guardrails.data.map(({ guardrail_id, name, workspace_id }) => ({
      id: guardrail_id,
      name,
      detail: null,
      href: `/guardrails/${guardrail_id}`,
      workspaceId: workspace_id,
    }));
    return { rows, total: unassigned_guardrails.total_count };
  }
  const { data, total_count } = gap === "keys" ? uncovered_keys : unlimited_keys;
  return {
    rows: data.map(({ key_hash, key_name, workspace_id }) => ({
      id: key_hash,
      name: key_name,
      detail: null,
      href: `/keys/${key_hash}`,
      workspaceId: workspace_id,
    })),
    total: total_count,
  };
}

/** True if all rows can have the same guardrail: guardrails belong to one workspace. */
export const isOfOneWorkspace = (rows: readonly GapRow[]): boolean =>
  new Set(rows.map(({ workspaceId }) => workspaceId)).size <= 1;

/** Number of names listed in a text. */
const NAMED = 3;

/** The first names and the number of others. */
export const namesOf = (names: readonly string[], total: number): string =>
  `${names.slice(0, NAMED).join(", ")}${total > NAMED ? ` and ${formatCount(total - NAMED)} more` : ""}`;

/** The keys and members that use a model. */
export const describeUsers = ({
  data,
  total_count,
}: Coverage["deprecated_models"]["data"][number]["used_by"]): string => {
  const names = data.map(({ name }) => name);
  return `Used by ${namesOf(names, total_count)}`;
};
