import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { MAX_CHECKS } from "../../engine/checks/vocabulary";
import { MAX_PROGRAM_SIZE } from "../../engine/filters/pattern";
import { MAX_CUSTOM_FILTERS } from "../../engine/filters/vocabulary";
import { MOST_EMAILS, MOST_RULES, MOST_WEBHOOKS_OF_RULE } from "../../features/alerts/vocabulary";
import { MAX_DAYS } from "../../features/analytics/vocabulary";
import { MOST_DESTINATIONS } from "../../features/exports/vocabulary";
import { MAX_DRAFTS } from "../../features/policy-check/contract";
import { MAX_TESTS } from "../../features/policy-tests/vocabulary";
import { MAX_SELECTED } from "../../features/replay/vocabulary";
import { MAX_MODELS } from "../../gateway/decide-service";
import { parseEnv } from "../../platform/env";
import { MAX_KEY_LENGTH } from "../../platform/http/idempotency-store";
import { MAX_DEPTH } from "../../platform/http/json-bounds";
import { bodyBounds, MAX_FIELDS } from "../../platform/http/request-body";
import { MAX_ACTIVE_EXCEPTIONS, MAX_EXCEPTION_DAYS } from "../../records/exceptions/vocabulary";
import { MOST_CHANGED_MEMBERS, MOST_GROUPS } from "../../records/groups/vocabulary";
import { LIMIT_MS } from "../../records/generations/read-store";
import { MOST_LIMITS, MOST_SUBJECTS } from "../../engine/budgets/vocabulary";
import { MAX_KEYS } from "../../records/keys/limits-contract";
import { MAX_MODELS_PER_PAGE } from "../../records/models/contract";
import { MAX_LABELS } from "../../records/presets/contract";
import { MOST_ROLES, MOST_WORKSPACE_ROLES } from "../../records/roles/vocabulary";
import { MOST_VIEWS } from "../../records/saved-views/service";
import { MAX_COUNT, MAX_GROUP_MEMBERS, MAX_OPERATIONS } from "../../records/scim/vocabulary";
import { MOST_SCIM_TOKENS } from "../../records/scim-tokens/vocabulary";
import { MAX_TAGS } from "../../records/tags/vocabulary";
import {
  MAX_MESSAGE_BYTES,
  MOST_CERTIFICATES,
  MOST_CLAIMED_GROUPS,
  MOST_CONNECTIONS,
  MOST_DOMAINS,
} from "../../records/sign-in-connections/vocabulary";
import { MOST_IDENTITIES } from "../../records/workload-identities/vocabulary";
import { MOST_WEBHOOKS } from "../../records/webhooks/service";

const settings = parseEnv({});
const KIB = 1024;
const MIB = 1024 * KIB;
const large = bodyBounds("large", settings.maxBodyBytes);
const medium = bodyBounds("medium", Infinity);
const small = bodyBounds("small", Infinity);

/** The numbers of each row of the document, in their order. */
const LIMITS: Readonly<Record<string, readonly number[]>> = {
  "Body of an inference request, or of a group by SCIM": [large.bytes / MIB, large.values, MAX_DEPTH],
  "Body of guardrails, providers, models and bulk operations": [medium.bytes / MIB, medium.values],
  "Other bodies": [small.bytes / KIB, small.values],
  "Fields of one object": [MAX_FIELDS],
  "Requests per key or session": [settings.rateLimitPerMinute],
  "Connections of one client address": [settings.maxConnections],
  "Models in one request, wildcards expanded": [MAX_MODELS],
  "Entries of a list in one response": [100, MAX_MODELS_PER_PAGE],
  "Entries of a bulk operation": [MAX_KEYS],
  "`Idempotency-Key`": [MAX_KEY_LENGTH],
  "Custom patterns in a guardrail": [MAX_CUSTOM_FILTERS, 10_000, MAX_PROGRAM_SIZE],
  "External checks of a guardrail": [MAX_CHECKS],
  "Time of the content filters for one request": [settings.filterTimeoutMs / 1000],
  "Policy tests of a guardrail": [MAX_TESTS],
  "Active exceptions of a key or member": [MAX_ACTIVE_EXCEPTIONS],
  "Duration of an exception": [MAX_EXCEPTION_DAYS],
  "Requests in a replay": [MAX_SELECTED],
  "Drafts in one policy check": [MAX_DRAFTS],
  "Tags of a key or member": [MAX_TAGS],
  "Workload identities of a key": [MOST_IDENTITIES],
  "Custom roles": [MOST_ROLES],
  "Groups created by hand": [MOST_GROUPS],
  "Members added to or removed from a group in one request": [MOST_CHANGED_MEMBERS],
  "Workspaces in which a member, group or key has a role": [MOST_WORKSPACE_ROLES],
  "SCIM tokens": [MOST_SCIM_TOKENS],
  "Resources on a page of SCIM; members of a group, and operations, in one SCIM request": [
    MAX_COUNT,
    MAX_GROUP_MEMBERS,
    MAX_OPERATIONS,
  ],
  "Identity providers of an organization": [MOST_CONNECTIONS, MOST_DOMAINS],
  "Certificates of a SAML provider": [MOST_CERTIFICATES],
  "Groups of a person that an identity provider sends": [MOST_CLAIMED_GROUPS],
  "SAML message, metadata document": [MAX_MESSAGE_BYTES / 1024],
  "[Limits](budgets.md#limits-where-money-is-owned) on spend, requests and tokens": [MOST_LIMITS, MOST_SUBJECTS],
  "Labels of a preset": [MAX_LABELS],
  Webhooks: [MOST_WEBHOOKS],
  "Alert rules": [MOST_RULES, MOST_WEBHOOKS_OF_RULE, MOST_EMAILS],
  "Export destinations": [MOST_DESTINATIONS],
  "Saved views of a person on a page": [MOST_VIEWS],
  "Time of one query": [LIMIT_MS / 1000],
  "Range of analytics": [MAX_DAYS],
};

const rows = new Map(
  [...readFileSync("docs/limits.md", "utf8").matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(
    ([, name = "", value = ""]): [string, number[]] => [
      name,
      [...value.matchAll(/(?<![\w`])\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(",", ""))),
    ],
  ),
);

it.each(Object.entries(LIMITS))("documents the limit of “%s”", (name, expected) => {
  expect(rows.get(name)?.slice(0, expected.length)).toEqual(expected);
});
