import { readFile } from "node:fs/promises";
import { isCollection, isMap, isPair, LineCounter, parseDocument, type Document, type Node } from "yaml";
import { issueMessage } from "../platform/http/issue-message";
import { toIssues } from "../platform/http/issues";
import { PolicyFile } from "../features/policy-file/contract";
import type { Problem } from "../features/policy-file/references";
import { CliError } from "./cli-error";

type Path = readonly (string | number)[];

export interface ReadFile {
  file: PolicyFile;
  /** Throws the given problems with their positions in the file. */
  refuse: (problems: readonly Problem[]) => never;
}

/** Reads and validates a policy file; throws every problem at once as `file:line:column: path: message`. */
export async function readPolicyFile(path: string): Promise<ReadFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new CliError(`Could not read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return checkPolicyFile(path, text);
}

export function checkPolicyFile(path: string, text: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new CliError(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`).join("\n"));
  const describe = ({ path: place, message }: Problem) =>
    `${at(offsetOf(document, place))}: ${place.length > 0 ? `${place.join(".")}: ` : ""}${message}`;
  const refuse = (problems: readonly Problem[]): never => {
    throw new CliError(problems.map(describe).join("\n"));
  };
  const parsed = PolicyFile.safeParse(document.toJS(), { error: issueMessage });
  if (parsed.success) return { file: parsed.data, refuse };
  return refuse(parsed.error.issues.flatMap((issue) => toIssues(issue)));
}

/**
 * Returns the offset of a path's value; for a missing path, of the closest parent; for an unknown field, of its name.
 */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    if (!isCollection(node)) break;
    const pair = isMap(node) ? node.items.find((item) => isPair(item) && String(item.key) === String(part)) : undefined;
    const key = pair?.key as Node | undefined;
    node = (node.get(part, true) as Node | undefined) ?? null;
    const start: number | undefined = key?.range?.[0] ?? node?.range?.[0];
    if (start === undefined) break;
    offset = start;
  }
  return offset;
}
