import * as analytics from "./analytics/contract";
import * as audit from "./audit/contract";
import * as budgets from "./budgets/contract";
import * as thresholds from "./budgets/thresholds-contract";
import * as catalogue from "./catalogue/contract";
import * as documentation from "./docs/contract";
import * as exceptions from "./exceptions/contract";
import * as generationContent from "./generations/content-contract";
import * as contentRemoval from "./generations/content-removal-contract";
import * as generations from "./generations/contract";
import * as assignments from "./guardrails/assignments-contract";
import * as guardrails from "./guardrails/contract";
import * as coverage from "./guardrails/coverage-contract";
import { isOperation, type Operation } from "./http/operation";
import * as lint from "./guardrails/lint-contract";
import * as versions from "./guardrails/versions-contract";
import * as inference from "./inference/contract";
import * as keys from "./keys/contract";
import * as keyLimits from "./keys/limits-contract";
import * as members from "./members/contract";
import * as models from "./models/contract";
import * as organization from "./organization/contract";
import * as policyFile from "./policy-file/contract";
import * as policy from "./policy/contract";
import * as presetCompatibility from "./presets/compatibility-contract";
import * as policyTests from "./policy-tests/contract";
import * as presets from "./presets/contract";
import * as presetLabels from "./presets/labels-contract";
import * as presetUsage from "./presets/usage-contract";
import * as providers from "./providers/contract";
import * as providerImport from "./providers/import-contract";
import * as replay from "./replay/contract";
import * as why from "./replay/why-contract";
import * as savedViews from "./saved-views/contract";
import * as account from "./session/account-contract";
import * as webhooks from "./webhooks/contract";
import * as workspaces from "./workspaces/contract";

const declaredIn = (contract: object): Operation[] => Object.values(contract).filter(isOperation);

/** The whole API below `/v1`, in the order of the reference. */
export const operations: readonly Operation[] = [
  inference,
  generations,
  why,
  generationContent,
  contentRemoval,
  savedViews,
  presets,
  presetLabels,
  presetUsage,
  presetCompatibility,
  guardrails,
  versions,
  lint,
  replay,
  assignments,
  coverage,
  policy,
  policyFile,
  exceptions,
  policyTests,
  keys,
  keyLimits,
  members,
  organization,
  workspaces,
  providers,
  providerImport,
  catalogue,
  models,
  budgets,
  thresholds,
  webhooks,
  analytics,
  audit,
  account,
  documentation,
].flatMap(declaredIn);
