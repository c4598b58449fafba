import type { z } from "zod";
import type { Issue } from "../api-error";

type ZodIssue = z.core.$ZodIssue;

/** Prefixes the paths of issues. */
export const within = (path: Issue["path"], issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));

/** Converts a schema error to issues: one for each unknown field, and for a union the issues of the closest branch. */
export function toIssues(issue: ZodIssue, at: Issue["path"] = []): Issue[] {
  const path = [...at, ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
  const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : undefined;
  if (branch) return branch.flatMap((inner) => toIssues(inner, path));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], message: "unknown field", code: issue.code }));
  }
  const { message } = (issue.code === "invalid_key" ? issue.issues[0] : undefined) ?? issue;
  return [{ path, message, code: issue.code }];
}

type Branch = readonly ZodIssue[];

/** Returns the branch that matches type and kind, else a branch that matches the type, else the first. */
const meantBranch = (branches: readonly Branch[]): Branch | undefined =>
  branches.find((branch) => fit(branch) === 2) ?? branches.find((branch) => fit(branch) === 1) ?? branches[0];

/** Rates a branch: 0 for a different type, 1 for a different kind (`type` or `id`), 2 for errors inside. */
function fit(branch: Branch): 0 | 1 | 2 {
  if (branch.some(({ path, code }) => path.length === 0 && (code === "invalid_type" || code === "invalid_value")))
    return 0;
  return branch.some(({ path }) => path.length === 1 && (path[0] === "type" || path[0] === "id")) ? 1 : 2;
}
