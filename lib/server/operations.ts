import * as alerts from "../features/alerts/contract";
import * as analytics from "../features/analytics/contract";
import * as activity from "../features/analytics/activity-contract";
import * as usage from "../features/analytics/usage-contract";
import * as audit from "../platform/audit/contract";
import * as budgets from "../records/budgets/contract";
import * as thresholds from "../records/budgets/thresholds-contract";
import * as catalogue from "../records/catalogue/contract";
import * as documentation from "./docs/contract";
import * as exceptions from "../records/exceptions/contract";
import * as exportDestinations from "../features/exports/contract";
import * as generationContent from "../features/content-access/contract";
import * as contentRemoval from "../features/content-access/removal-contract";
import * as generations from "../records/generations/contract";
import * as assignments from "../records/guardrails/assignments-contract";
import * as guardrails from "../records/guardrails/contract";
import * as coverage from "../features/coverage/contract";
import { isOperation, type Operation } from "../platform/http/operation";
import * as lint from "../features/lint/contract";
import * as versions from "../records/guardrails/versions-contract";
import * as inference from "../gateway/contract";
import * as messages from "../gateway/messages-contract";
import * as completions from "../gateway/completions-contract";
import * as embeddings from "../gateway/embeddings-contract";
import * as moderations from "../gateway/moderations-contract";
import * as playground from "../gateway/playground-contract";
import * as keys from "../records/keys/contract";
import * as credits from "../records/keys/credits-contract";
import * as keyLimits from "../records/keys/limits-contract";
import * as keyTags from "../records/keys/tags-contract";
import * as groups from "../records/groups/contract";
import * as permissions from "../records/groups/permissions-contract";
import * as members from "../records/members/contract";
import * as handOver from "../records/members/hand-over-contract";
import * as modelLookup from "../records/models/lookup-contract";
import * as models from "../records/models/contract";
import * as anthropicModels from "../records/models/anthropic-contract";
import * as organization from "../records/organization/contract";
import * as policyFile from "../features/policy-file/contract";
import * as policy from "../features/policy-check/contract";
import * as presetCompatibility from "../features/preset-compatibility/contract";
import * as observations from "../features/observations/contract";
import * as limits from "../records/limits/contract";
import * as policyTests from "../features/policy-tests/contract";
import * as presets from "../records/presets/contract";
import * as presetLabels from "../records/presets/labels-contract";
import * as presetUsage from "../records/presets/usage-contract";
import * as providers from "../records/providers/contract";
import * as providerImport from "../records/providers/import-contract";
import * as replay from "../features/replay/contract";
import * as why from "../features/replay/why-contract";
import * as roles from "../records/roles/contract";
import * as savedViews from "../records/saved-views/contract";
import * as scim from "../records/scim/contract";
import * as scimTokens from "../records/scim-tokens/contract";
import * as account from "../records/session/account-contract";
import * as accountFactors from "../records/session/factors-contract";
import * as signIn from "../records/sign-in-connections/contract";
import * as webhooks from "../records/webhooks/contract";
import * as tags from "../records/tags/contract";
import * as workloadIdentities from "../records/workload-identities/contract";
import * as tokenExchange from "../records/workload-identities/token-contract";
import * as workspaces from "../records/workspaces/contract";

const declaredIn = (contract: object): Operation[] => Object.values(contract).filter(isOperation);

/** All operations below `/v1`, in the order of the reference. */
export const operations: readonly Operation[] = [
  inference,
  messages,
  completions,
  embeddings,
  moderations,
  playground,
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
  observations,
  policy,
  policyFile,
  exceptions,
  policyTests,
  keys,
  keyLimits,
  keyTags,
  workloadIdentities,
  tokenExchange,
  credits,
  members,
  roles,
  groups,
  handOver,
  signIn,
  tags,
  organization,
  workspaces,
  providers,
  providerImport,
  catalogue,
  models,
  modelLookup,
  budgets,
  thresholds,
  limits,
  webhooks,
  alerts,
  exportDestinations,
  analytics,
  activity,
  usage,
  audit,
  account,
  permissions,
  accountFactors,
  scimTokens,
  scim,
  documentation,
].flatMap(declaredIn);

/** Operations that replace others with the same method and path for requests with a header. */
export const alternatives: readonly Operation[] = declaredIn(anthropicModels);
