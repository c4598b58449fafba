import { inject } from "vitest";
import { createKey } from "./factories";
import { NOW, testDatabase, type World } from "./test-context";

export interface FilledOrganization {
  keyText: string;
  guardrailId: string;
  presetSlug: string;
  /** Connection string of its database. */
  connectionString: string;
}

/**
 * Fills an organization on PostgreSQL with set-based SQL: 100,000 generations, and `size` records of every other list.
 */
export async function fillOrganization(world: World, size: number): Promise<FilledOrganization> {
  const { context, organizationId, workspaceId, adminId } = world;
  const { db } = context;
  const management = await createKey(world, { kind: "management" });
  const presetSlug = "crowded";
  await db.$executeRaw`
    INSERT INTO guardrails (id, workspace_id, name, created_at)
    SELECT gen_random_uuid(), ${workspaceId}::uuid, 'Guardrail ' || n, ${NOW}::timestamptz - n * interval '1 second' FROM generate_series(1, ${size}::int) n`;
  const { id: guardrailId } = await db.guardrail.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { createdAt: "desc" },
  });
  const { id: otherId } = await db.guardrail.findFirstOrThrow({
    where: { workspaceId },
    orderBy: { createdAt: "asc" },
  });
  await db.$executeRaw`
    INSERT INTO members (id, organization_id, email, created_at)
    SELECT 'user_' || md5(${organizationId} || n), ${organizationId}::uuid, md5(${organizationId} || n) || '@example.com', ${NOW}::timestamptz - n * interval '1 second'
    FROM generate_series(1, ${size}::int) n`;
  await db.$executeRaw`
    INSERT INTO workspaces (id, organization_id, name, slug, content_logging, created_at)
    SELECT gen_random_uuid(), ${organizationId}::uuid, 'Workspace ' || n, 'w' || n, true, ${NOW}::timestamptz - n * interval '1 second' FROM generate_series(1, ${size}::int) n`;
  await db.$executeRaw`
    INSERT INTO keys (id, organization_id, workspace_id, creator_user_id, kind, hash, name, label, created_at)
    SELECT gen_random_uuid(), ${organizationId}::uuid, ${workspaceId}::uuid, ${adminId}, 'inference',
           encode(sha256((${organizationId} || n)::bytea), 'hex'), 'Key ' || n, 'sb-key-v1-…', ${NOW}::timestamptz - n * interval '1 second'
    FROM generate_series(1, ${size}::int) n`;
  await db.$executeRaw`
    INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id, created_at)
    SELECT gen_random_uuid(), ${organizationId}::uuid,
           CASE WHEN row_number() OVER () % 2 = 0 THEN ${guardrailId}::uuid ELSE ${otherId}::uuid END, id, created_at
    FROM keys WHERE organization_id = ${organizationId}::uuid AND kind = 'inference'`;
  await db.$executeRaw`
    INSERT INTO guardrail_member_assignments (id, organization_id, guardrail_id, workspace_id, user_id, created_at)
    SELECT gen_random_uuid(), ${organizationId}::uuid,
           CASE WHEN row_number() OVER () % 2 = 0 THEN ${guardrailId}::uuid ELSE ${otherId}::uuid END,
           ${workspaceId}::uuid, id, created_at
    FROM members WHERE organization_id = ${organizationId}::uuid`;
  await db.$executeRaw`
    INSERT INTO presets (id, workspace_id, slug, name, latest_version, updated_at)
    SELECT gen_random_uuid(), ${workspaceId}::uuid, CASE WHEN n = 1 THEN ${presetSlug} ELSE 'p' || n END, 'Preset', 5000, ${NOW}::timestamptz - n * interval '1 second'
    FROM generate_series(1, ${size}::int) n`;
  await db.$executeRaw`
    INSERT INTO preset_versions (id, preset_id, version, config, system_prompt, creator_id)
    SELECT gen_random_uuid(), presets.id, n, '{}', '', ${adminId}
    FROM presets, generate_series(1, CASE WHEN slug = ${presetSlug} THEN 5000 ELSE 1 END) n WHERE workspace_id = ${workspaceId}::uuid`;
  await db.$executeRaw`
    INSERT INTO generations (created_at, id, organization_id, workspace_id, user_id, status, api_type, requested_model, model, streamed, attempts, request_id, content_stored)
    SELECT at, 'gen-' || floor(extract(epoch FROM at))::bigint || '-' || substr(md5(${organizationId} || n), 1, 20), ${organizationId}::uuid, ${workspaceId}::uuid, ${adminId},
           (CASE WHEN n % 100 = 0 THEN 'failed' ELSE 'succeeded' END)::generation_status, 'responses', 'm/m', CASE WHEN n % 1000 = 0 THEN 'm/rare' ELSE 'm/m' END, false, '[]', 'req', true
    FROM (SELECT n, ${NOW}::timestamptz - n * interval '1 second' AS at FROM generate_series(1, 100000) n) crowd`;
  await db.$executeRaw`
    INSERT INTO audit_events (id, organization_id, actor_type, action, target_type, target_id, request_id, created_at)
    SELECT gen_random_uuid(), ${organizationId}::uuid, 'key', 'guardrail.create', 'guardrail', 'x', 'req', ${NOW}::timestamptz - n * interval '1 second' FROM generate_series(1, ${size}::int) n`;
  return { keyText: management.text, guardrailId, presetSlug, connectionString: await connectionString() };
}

/** Returns the connection string of this test file's PostgreSQL database. */
export async function connectionString(): Promise<string> {
  const { rows } = await (await testDatabase()).query("SELECT current_database() AS name");
  return Object.assign(new URL(inject("postgresUrl")), { pathname: String(rows[0]?.["name"]) }).href;
}
