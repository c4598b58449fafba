import type { BuiltinFilter, CustomFilter } from "../guardrails/contract";
import type { Exception } from "../policy/exception";
import type { Source } from "../policy/layers";

export type FilterAction = "block" | "redact" | "flag";

/** One content filter in force: the strongest action that any layer asks for on the same detector and scope. */
export interface FilterRule {
  detector: { kind: "builtin"; slug: BuiltinFilter["slug"] } | { kind: "pattern"; pattern: CustomFilter["pattern"] };
  action: FilterAction;
  /** What redaction writes, literally. */
  label: string;
  /** Scans the messages of role `user` alone. */
  userOnly: boolean;
  /** The layers that ask for this action, widest first. */
  sources: readonly Source[];
  /** Lifts the rule for whoever asks: what it finds is recorded, and nothing is done about it. */
  lifted?: Exception;
}
