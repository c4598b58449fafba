import type { Lab } from "./lab";

const KEYS = 10_000;
const GUARDRAILS = 1_000;
const GENERATIONS = 1_000_000;
/** Database of the filled install. */
export const FILLED_DATABASE = "filled";

const filled = new WeakMap<Lab, Promise<void>>();

/** Fills an install with set-based SQL on first use. */
export const fillInstall = (lab: Lab): Promise<void> => {
  const filling = filled.get(lab) ?? fill(lab);
  filled.set(lab, filling);
  return filling;
};

/** Spreads rows over the last 90 days: a generation about every 8 seconds. */
async function fill(lab: Lab): Promise<void> {
  await lab.signalbox(FILLED_DATABASE);
  await lab.query(
    FILLED_DATABASE,
    `
    INSERT INTO guardrails (id, workspace_id, name, allowed_models, limit_micro_usd, reset_interval, content_filters)
    SELECT gen_random_uuid(), id, 'Large ' || n, '["bench/model"]', 1000000000, 'monthly', '[{"pattern":"secret-[0-9]+","action":"block"}]'
    FROM workspaces, generate_series(1, ${GUARDRAILS}) n;
    INSERT INTO guardrail_revisions (guardrail_id, revision, fields) SELECT id, 1, '{}' FROM guardrails;
    INSERT INTO keys (id, organization_id, workspace_id, kind, hash, name, label)
    SELECT gen_random_uuid(), organization_id, id, 'inference', encode(sha256(('large ' || n)::bytea), 'hex'), 'Large ' || n, 'large'
    FROM workspaces, generate_series(1, ${KEYS}) n;
    CREATE TEMP TABLE numbered_keys AS SELECT id, organization_id, workspace_id, row_number() OVER () AS n FROM keys WHERE kind = 'inference';
    CREATE TEMP TABLE numbered_guardrails AS SELECT id, row_number() OVER () AS n FROM guardrails;
    INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id)
    SELECT gen_random_uuid(), k.organization_id, g.id, k.id FROM numbered_keys k JOIN numbered_guardrails g ON g.n = k.n % ${GUARDRAILS} + 1;
    INSERT INTO budgets (id, source_id, subject, subject_id, "window", window_start, spent_micro_usd, updated_at)
    SELECT gen_random_uuid(), guardrail_id, 'key', key_id::text, 'monthly', date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', 100, now()
    FROM guardrail_key_assignments;
    INSERT INTO generations (created_at, id, organization_id, workspace_id, key_id, status, api_type, requested_model, model, provider_slug, streamed,
      finish_reason, tokens_prompt, tokens_completion, cost_micro_usd, latency_ms, generation_time_ms, attempts, request_id, content_stored)
    SELECT at, 'gen-' || floor(extract(epoch FROM at))::bigint || '-' || substr(md5(n::text), 1, 20), k.organization_id, k.workspace_id, k.id,
      'succeeded', 'chat', 'bench/model', 'bench/model', 'bench', false, 'stop', 180, 50, 165, 10, 10, '[]', 'request', false
    FROM (SELECT n, now() - n * interval '7776 milliseconds' AS at FROM generate_series(1, ${GENERATIONS}) n) generation
    JOIN numbered_keys k ON k.n = generation.n % ${KEYS} + 1;
    INSERT INTO key_spend_days (key_id, day, is_byok, cost_micro_usd, last_used_at)
    SELECT key_id, (created_at AT TIME ZONE 'UTC')::date, is_byok, sum(cost_micro_usd)::bigint, max(created_at)
    FROM generations WHERE key_id IS NOT NULL GROUP BY 1, 2, 3`,
  );
  await lab.query(FILLED_DATABASE, "VACUUM ANALYZE");
}
