import type { PolicyFile } from "../policy-file/contract";
import type { Change } from "../policy-file/diff-policy";
import type { Api } from "./api";
import type { Install } from "./state";

export type Environment = Readonly<Record<string, string | undefined>>;

/** One change, and what making it takes. */
export interface Step {
  api: Api;
  change: Change;
  wanted: PolicyFile;
  install: Install;
  environment: Environment;
}
