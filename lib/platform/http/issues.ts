import type { z } from "zod";
import type { Issue } from "../api-error";

type ZodIssue = z.core.$ZodIssue;

/** Issues of a part of the body, seen from the whole. */
export const within = (path: Issue["path"], issues: readonly Issue[]): Issue[] =>
  issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));

/** The problems of one schema failure: one an unknown field, and of a union those of the branch that was meant. */
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

/** The branch whose outer type and kind fit, else whose outer type fits, else the first. */
const meantBranch = (branches: readonly Branch[]): Branch | undefined =>
  branches.find((branch) => fit(branch) === 2) ?? branches.find((branch) => fit(branch) === 1) ?? branches[0];

/** 0: of another type altogether, 1: of another kind (its `type` or `id` differs), 2: meant, but wrong further inside. */
function fit(branch: Branch): 0 | 1 | 2 {
  if (branch.some(({ path, code }) => path.length === 0 && (code === "invalid_type" || code === "invalid_value")))
    return 0;
  return branch.some(({ path }) => path.length === 1 && (path[0] === "type" || path[0] === "id")) ? 1 : 2;
}
