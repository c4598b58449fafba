import { createHash, randomBytes, randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import pg from "pg";
import { listAuditEvents } from "../lib/platform/audit/contract";
import { createAlert } from "../lib/features/alerts/contract";
import { createExportDestination } from "../lib/features/exports/contract";
import { createException } from "../lib/records/exceptions/contract";
import { createPolicyTest } from "../lib/features/policy-tests/contract";
import { getGuardrail } from "../lib/records/guardrails/contract";
import { createResponse } from "../lib/gateway/contract";
import { createModel, getModel } from "../lib/records/models/contract";
import { createPresetFromResponses, getPreset } from "../lib/records/presets/contract";
import { createProvider, getProvider } from "../lib/records/providers/contract";
import { createGroup } from "../lib/records/groups/contract";
import { createRole } from "../lib/records/roles/contract";
import { createScimToken } from "../lib/records/scim-tokens/contract";
import { createSignInConnection, testSignInConnection } from "../lib/records/sign-in-connections/contract";
import { createLimit } from "../lib/records/limits/contract";
import { createWorkloadIdentity } from "../lib/records/workload-identities/contract";
import { createWebhook, testWebhook } from "../lib/records/webhooks/contract";
import type { Api } from "./api-client";
import { SERVER_VARIABLES } from "./global-setup";
import { createWorld, unique, type World } from "./world";

interface ForeignOrganization {
  organizationId: string;
  api: Api;
  world: World;
  /** Identifiers of its objects, for path parameters and queries. */
  namesOf: (path: string) => { params: Record<string, string>; query?: Record<string, string> };
  assertUntouched: () => Promise<void>;
}

/** Inserts a second organization with a management key into PostgreSQL. Everything else is created through the API. */
export async function createForeignOrganization(api: Api): Promise<ForeignOrganization> {
  const { organizationId, keyText, sessionId } = await insertOrganization();
  const theirs = api.as(keyText);
  const world = await createWorld(theirs);
  const [guardrail, key, member] = await Promise.all([world.guardrail(), world.inferenceKey(), world.member()]);
  const slug = unique("theirs");
  const { data: preset } = await theirs.call(createPresetFromResponses, {
    params: { slug },
    body: { model: "sandbox/echo" },
  });
  await theirs.call(createProvider, { body: { slug, name: "Theirs", base_url: "https://api.theirs.example/v1" } });
  const { data: model } = await theirs.call(createModel, {
    body: { slug: `${slug}/large`, endpoints: [{ provider: slug, price: { prompt: "1", completion: "2" } }] },
  });
  const { data: provider } = await theirs.call(getProvider, { params: { slug } });
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const { data: exception } = await theirs.call(createException, {
    body: { kind: "allow_phrase", key_hash: key.hash, phrase: "theirs", reason: "Theirs", expires_at: inAnHour },
  });
  const { data: webhook } = await theirs.call(createWebhook, {
    body: { url: "http://127.0.0.1:9/theirs", events: ["key.created"] },
  });
  const { data: delivery } = await theirs.call(testWebhook, { params: { id: webhook.id } });
  const { data: alert } = await theirs.call(createAlert, {
    body: { name: "Theirs", kind: "error_rate", threshold: 5, webhook_ids: [webhook.id] },
  });
  const { data: destination } = await theirs.call(createExportDestination, {
    body: { name: "Theirs", kind: "otlp", enabled: false, otlp: { url: "http://127.0.0.1:9/v1/traces" } },
  });
  const { data: policyTest } = await theirs.call(createPolicyTest, {
    params: { id: guardrail.id },
    body: { name: "Theirs", request: { model: "sandbox/echo", input: "hi" }, expected: { outcome: "allowed" } },
  });
  const { data: identity } = await theirs.call(createWorkloadIdentity, {
    params: { hash: key.hash },
    body: { name: "Theirs", issuer: "https://ci.example", audience: "theirs", claims: { sub: "theirs" } },
  });
  const { data: role } = await theirs.call(createRole, { body: { name: unique("theirs"), permissions: [] } });
  const { data: group } = await theirs.call(createGroup, { body: { name: unique("theirs") } });
  const { data: scimToken } = await theirs.call(createScimToken, { body: { name: "Theirs" } });
  const { data: connection } = await theirs.call(createSignInConnection, {
    body: {
      name: "Theirs",
      protocol: "oidc",
      domains: ["theirs.example"],
      oidc: { issuer: "https://idp.example", client_id: "theirs" },
    },
  });
  const { data: signInTest } = await theirs.call(testSignInConnection, { params: { id: connection.id } });
  const { data: limit } = await theirs.call(createLimit, {
    body: { name: "Theirs", subject_type: "organization", metric: "spend", amount: 1_000 },
  });
  const answer = await theirs.send(createResponse, { body: { model: model.slug, input: "theirs" } }, { as: key.text });
  const generationId = answer.headers.get("x-generation-id") ?? "";
  expect(generationId).toMatch(/^gen-/);
  const [event] = (await theirs.call(listAuditEvents, { query: { limit: "1" } })).data;
  const paramsOf = (path: string): Record<string, string> => {
    if (path.startsWith("/guardrails/")) return { id: guardrail.id, test_id: policyTest.id };
    if (path.startsWith("/limits/")) return { id: limit.id };
    if (path.startsWith("/exceptions/")) return { id: exception.id };
    if (path.startsWith("/webhooks/")) return { id: webhook.id, delivery_id: delivery.id };
    if (path.startsWith("/export-destinations/")) return { id: destination.id };
    if (path.startsWith("/alerts/")) return { id: alert.id };
    if (path.startsWith("/workspaces/")) return { id: world.workspaceId };
    if (path.startsWith("/keys/")) return { hash: key.hash, id: identity.id };
    if (path.startsWith("/organization/scim-tokens/")) return { id: scimToken.id };
    if (path.startsWith("/organization/roles/")) return { id: role.id };
    if (path.startsWith("/organization/groups/")) return { id: group.id };
    if (path.startsWith("/organization/members/")) return { user_id: member.id, connection_id: connection.id };
    if (path.startsWith("/organization/sign-in-connections/")) return { id: connection.id, test_id: signInTest.id };
    if (path.startsWith("/models/{slug}/{name}")) return { slug, name: "large" };
    if (path.startsWith("/model/")) return { author: slug, slug: "large" };
    if (path.startsWith("/models/")) return { slug: model.slug };
    if (path.startsWith("/audit-events/")) return { id: event?.id ?? "" };
    if (path.includes("/sessions/{id}")) return { id: sessionId };
    return { slug };
  };
  const assertUntouched = async () => {
    expect((await theirs.call(getGuardrail, { params: { id: guardrail.id } })).data).toEqual(guardrail);
    expect((await theirs.call(getPreset, { params: { slug } })).data).toEqual(preset);
    expect((await theirs.call(getProvider, { params: { slug } })).data).toEqual(provider);
    expect((await theirs.call(getModel, { params: { slug: model.slug } })).data).toEqual(model);
  };
  const namesOf = (path: string): ReturnType<ForeignOrganization["namesOf"]> => {
    if (path === "/policy/effective") return { params: {}, query: { key_hash: key.hash } };
    return path.includes("{") ? { params: paramsOf(path) } : { params: {}, query: { id: generationId } };
  };
  return { organizationId, api: theirs, world, namesOf, assertUntouched };
}

/** An organization with only its default workspace, a member with a session, and a management key. */
export async function insertOrganization(): Promise<{ organizationId: string; keyText: string; sessionId: string }> {
  const organizationId = randomUUID();
  const keyText = `foreign-${randomBytes(24).toString("hex")}`;
  const [workspaceId, keyId, memberId, sessionId] = [randomUUID(), randomUUID(), unique("user_"), randomUUID()];
  const hash = createHash("sha256").update(keyText).digest("hex");
  const db = new pg.Client({ connectionString: process.env[SERVER_VARIABLES.postgresDatabase] });
  await db.connect();
  try {
    await db.query("INSERT INTO organizations (id, name) VALUES ($1, 'Foreign')", [organizationId]);
    await db.query("INSERT INTO members (id, organization_id, email, role) VALUES ($1, $2, $3, 'admin')", [
      memberId,
      organizationId,
      `${memberId}@example.com`,
    ]);
    await db.query(
      "INSERT INTO workspaces (id, organization_id, name, slug, is_default, content_logging) VALUES ($1, $2, 'Default', 'default', true, true)",
      [workspaceId, organizationId],
    );
    await db.query(
      "INSERT INTO keys (id, organization_id, workspace_id, creator_user_id, kind, hash, name, label) VALUES ($1, $2, $3, $4, 'management', $5, 'Foreign', 'foreign')",
      [keyId, organizationId, workspaceId, memberId, hash],
    );
    await db.query("INSERT INTO key_secrets (hash, key_id) VALUES ($1, $2)", [hash, keyId]);
    await db.query(
      "INSERT INTO sessions (token_hash, id, member_id, last_seen_at, expires_at) VALUES ($1, $2, $3, now(), now() + interval '1 day')",
      [unique("token"), sessionId, memberId],
    );
    return { organizationId, keyText, sessionId };
  } finally {
    await db.end();
  }
}
