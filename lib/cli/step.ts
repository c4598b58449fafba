import type { PolicyFile } from "../features/policy-file/contract";
import type { Change } from "../features/policy-file/diff";
import type { Api } from "./api";
import type { Install } from "./state";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A change and its dependencies. */
export interface Step {
  api: Api;
  change: Change;
  wanted: PolicyFile;
  install: Install;
  environment: Environment;
}
