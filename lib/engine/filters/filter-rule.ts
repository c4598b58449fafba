import type { BuiltinFilter, CustomFilter } from "./contract";
import type { Exception } from "../policy/exception";
import type { FILTER_ACTIONS, ScanScope } from "./vocabulary";
import type { Source } from "../policy/contract";

export type FilterAction = (typeof FILTER_ACTIONS)[number];

/** A content filter in force: the strongest action that any layer sets for a detector and scope. */
export interface FilterRule {
  detector:
    | { kind: "builtin"; slug: BuiltinFilter["slug"]; regions?: readonly string[] }
    | { kind: "pattern"; pattern: CustomFilter["pattern"] };
  action: FilterAction;
  /** The literal replacement used by redaction. */
  label: string;
  scanScope: ScanScope;
  /** The layers that set this action, broadest first. */
  sources: readonly Source[];
  /** An exception that lifts the rule: matches are recorded without further action. */
  lifted?: Exception;
}
