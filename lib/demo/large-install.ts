/** Sizes of an install that has been used for 90 days. */
export interface InstallSize {
  generations: number;
  keys: number;
  guardrails: number;
  /** Share of the generations whose content is stored, from 0 to 1. */
  contents: number;
}

export const DAYS = 90;
const MEMBERS = 200;
const PRESETS = 50;
const MODELS = 20;
const END_USERS = 50_000;
const APPS = 40;
const WORDS = 5_000;
const TEAMS = 20;
/** Number of generations for each audit event. */
const PER_EVENT = 10;

/** SQL for a number from 0 (inclusive) to 1 (exclusive) that depends only on `n` and a name. */
const chance = (n: string, of: string) => `(((hashint8extended(${n}, hashtext('${of}')) >> 33) & 1048575) / 1048576.0)`;

/** SQL for a whole number below `bound`. Small numbers are more frequent. */
const skewed = (n: string, of: string, bound: number) => `floor(${bound} * ${chance(n, of)} ^ 3)::int`;

const words = (n: string, of: string, count: number) =>
  `(SELECT string_agg('word' || ${skewed(`${n} * 100 + place`, of, WORDS)}, ' ') FROM generate_series(1, ${count}) place)`;

/** Tables whose indexes are created after they have been filled, which takes a fraction of the time. */
const CROWDED = "'generations', 'generation_contents', 'decisions'";

/**
 * Returns SQL scripts that fill the first organization of an install: guardrails, keys, members, presets, generations with decisions
 * and content, their rollups, and audit events. They are run in turn. `recordedIn` is SQL for the number of the transaction that
 * recorded generation `n`. Each content has the words `every` and, one in a thousand, `seldom`.
 */
export const largeInstall = (
  { generations, keys, guardrails, contents }: InstallSize,
  recordedIn = "pg_current_xact_id()::text::bigint",
): string[] => [
  `
  CREATE TEMP TABLE home AS
  SELECT w.organization_id, w.id AS workspace_id FROM workspaces w ORDER BY w.created_at, w.id LIMIT 1`,
  `
  INSERT INTO members (id, organization_id, email, first_name, last_name)
  SELECT 'user_' || substr(md5('large ' || n), 1, 24), organization_id, 'member' || n || '@large.example', 'Member', n::text
  FROM home, generate_series(1, ${MEMBERS}) n;
  CREATE TEMP TABLE large_members AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM members WHERE email LIKE '%@large.example'`,
  `
  INSERT INTO guardrails (id, workspace_id, name, allowed_models, limit_micro_usd, reset_interval, content_filters)
  SELECT gen_random_uuid(), workspace_id, 'Large ' || n, '["bench/model"]', 1000000000, 'monthly', '[{"pattern":"secret-[0-9]+","action":"block"}]'
  FROM home, generate_series(1, ${guardrails}) n;
  INSERT INTO guardrail_revisions (guardrail_id, revision, fields) SELECT id, 1, '{}' FROM guardrails WHERE name LIKE 'Large %';
  CREATE TEMP TABLE large_guardrails AS SELECT id, name, row_number() OVER (ORDER BY id) - 1 AS n FROM guardrails WHERE name LIKE 'Large %'`,
  `
  INSERT INTO keys (id, organization_id, workspace_id, creator_user_id, kind, hash, name, label, tags)
  SELECT gen_random_uuid(), organization_id, workspace_id, m.id, 'inference', encode(sha256(('large ' || k)::bytea), 'hex'), 'Large ' || k, 'large',
    CASE WHEN k % 4 > 0 THEN ARRAY['team:' || ${skewed("k", "team", TEAMS)}, 'env:' || k % 3] ELSE '{}' END
  FROM home, generate_series(1, ${keys}) k JOIN large_members m ON m.n = k % ${MEMBERS};
  CREATE TEMP TABLE large_keys AS
  SELECT id, creator_user_id, row_number() OVER (ORDER BY id) - 1 AS n FROM keys WHERE label = 'large';
  CREATE UNIQUE INDEX ON large_keys (n);
  INSERT INTO guardrail_key_assignments (id, organization_id, guardrail_id, key_id)
  SELECT gen_random_uuid(), organization_id, g.id, k.id FROM home, large_keys k JOIN large_guardrails g ON g.n = k.n % ${guardrails};
  INSERT INTO budgets (id, source_id, subject, subject_id, "window", window_start, spent_micro_usd, updated_at)
  SELECT gen_random_uuid(), g.id, 'key', k.id::text, 'monthly', date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', k.n % 900000000, now()
  FROM large_keys k JOIN large_guardrails g ON g.n = k.n % ${guardrails}`,
  `
  INSERT INTO presets (id, workspace_id, slug, name, updated_at)
  SELECT gen_random_uuid(), workspace_id, 'large-' || n, 'Large ' || n, now() FROM home, generate_series(1, ${PRESETS}) n;
  INSERT INTO preset_versions (id, preset_id, version, config, system_prompt, creator_id)
  SELECT gen_random_uuid(), presets.id, 1, '{}', '', m.id FROM presets, large_members m WHERE slug LIKE 'large-%' AND m.n = 0;
  CREATE TEMP TABLE large_presets AS SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM presets WHERE slug LIKE 'large-%'`,
  `
  CREATE TEMP TABLE large_generations AS
  SELECT n, at, 'gen-' || floor(extract(epoch FROM at))::bigint || '-' || substr(md5(n::text), 1, 20) AS id, ${skewed("n", "key", keys)} AS key,
    ${chance("n", "status")} AS status, ${skewed("n", "model", MODELS)} AS model, ${chance("n", "preset")} AS preset, ${chance("n", "cost")} AS cost,
    ${chance("n", "latency")} AS latency, ${chance("n", "content")} < ${contents} AS has_content, ${chance("n", "decision")} AS decision
  FROM (
    SELECT n, date_trunc('milliseconds', now() - n * interval '${DAYS} days' / ${generations}) AS at FROM generate_series(1, ${generations}::bigint) n
  ) times`,
  `
  CREATE TEMP TABLE large_indexes AS
  SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes
  WHERE schemaname = current_schema() AND tablename IN (${CROWDED}) AND indexname NOT LIKE '%_pkey';
  DO $$ DECLARE statement text; BEGIN
    FOR statement IN SELECT format('DROP INDEX %I', name) FROM large_indexes LOOP EXECUTE statement; END LOOP;
  END $$`,
  `
  INSERT INTO generations (created_at, id, organization_id, workspace_id, key_id, user_id, status, api_type, requested_model, model, provider_slug,
    preset_id, preset_version, streamed, finish_reason, tokens_prompt, tokens_completion, cost_micro_usd, latency_ms, generation_time_ms, attempts,
    error_status, request_id, session_id, trace_id, external_user, app_title, content_stored, recorded_in)
  SELECT g.at, g.id, home.organization_id, home.workspace_id, k.id, k.creator_user_id,
    (CASE WHEN g.status < .93 THEN 'succeeded' WHEN g.status < .96 THEN 'failed' WHEN g.status < .99 THEN 'blocked' ELSE 'cancelled' END)::generation_status,
    (CASE WHEN g.n % 3 = 0 THEN 'responses' ELSE 'chat_completions' END)::protocol, 'large/model-' || g.model, 'large/model-' || g.model, 'large-' || g.model % 5,
    p.id, CASE WHEN p.id IS NOT NULL THEN 1 END, g.n % 2 = 0, 'stop', (20 + 2000 * g.cost ^ 2)::int, (10 + 500 * g.latency ^ 2)::int,
    (20 + 50000 * g.cost ^ 4)::bigint, (80 + 4000 * g.latency ^ 3)::int, (200 + 9000 * g.latency ^ 3)::int, '[]',
    CASE WHEN g.status >= .93 AND g.status < .99 THEN 403 END, 'request', CASE WHEN g.n % 5 = 0 THEN 'session-' || g.n / 50 END,
    CASE WHEN g.n % 4 = 0 THEN md5('trace ' || g.n / 40) END,
    CASE WHEN g.n % 2 = 0 THEN 'user-' || ${skewed("g.n", "end user", END_USERS)} END, 'App ' || ${skewed("g.n", "app", APPS)}, g.has_content,
    ${recordedIn}
  FROM home, large_generations g
    JOIN large_keys k ON k.n = g.key
    LEFT JOIN large_presets p ON p.n = floor(g.preset * 10 * ${PRESETS})::int
  ORDER BY g.at`,
  `
  INSERT INTO generation_contents (created_at, generation_id, input, completion, search_text)
  SELECT at, id, jsonb_build_object('messages', jsonb_build_array(jsonb_build_object('role', 'user', 'content', prompt))), answer, prompt || ' ' || answer
  FROM (
    SELECT at, id, 'every ' || ${words("n", "prompt", 24)} || CASE WHEN n % 1000 = 0 THEN ' seldom' ELSE '' END AS prompt, ${words("n", "answer", 12)} AS answer
    FROM large_generations WHERE has_content
  ) texts ORDER BY at`,
  `
  INSERT INTO decisions (created_at, generation_id, position, scope, guardrail_id, guardrail_name, revision, field, rule, action, spans)
  SELECT g.at, g.id, 0, 'key', guardrail.id, guardrail.name, 1, 'content_filters', 'secret-[0-9]+',
    CASE WHEN g.status >= .96 AND g.status < .99 THEN 'block' ELSE 'redact' END, '[]'
  FROM large_generations g JOIN large_guardrails guardrail ON guardrail.n = g.key % ${guardrails}
  WHERE g.status >= .96 AND g.status < .99 OR g.decision < .1
  ORDER BY g.at`,
  `
  DO $$ DECLARE statement text; BEGIN
    FOR statement IN SELECT definition FROM large_indexes LOOP EXECUTE statement; END LOOP;
  END $$`,
  `
  INSERT INTO key_spend_days (key_id, day, is_byok, cost_micro_usd, last_used_at)
  SELECT key_id, (created_at AT TIME ZONE 'UTC')::date, is_byok, sum(cost_micro_usd)::bigint, max(created_at)
  FROM generations WHERE key_id IN (SELECT id FROM large_keys) GROUP BY 1, 2, 3`,
  `
  INSERT INTO audit_events (id, organization_id, actor_type, action, target_type, target_id, request_id, created_at)
  SELECT gen_random_uuid(), organization_id, 'key', 'guardrail.update', 'guardrail', 'large', 'request', now() - n * interval '${DAYS} days' * ${PER_EVENT} / ${generations}
  FROM home, generate_series(1, ${generations} / ${PER_EVENT}) n`,
];
