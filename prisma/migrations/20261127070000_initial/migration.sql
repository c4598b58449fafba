-- The whole schema, in place of the migrations up to 20261127070000_generation_seconds (lib/platform/database/baseline.ts).

CREATE TYPE alert_kind AS ENUM ('budget', 'error_rate', 'block_spike', 'latency_p95', 'time_to_first_token_p95', 'provider_down');
CREATE TYPE assignment_kind AS ENUM ('keys', 'members');
CREATE TYPE budget_subject AS ENUM ('key', 'member');
CREATE TYPE budget_window AS ENUM ('daily', 'weekly', 'monthly', 'lifetime');
CREATE TYPE data_region AS ENUM ('global', 'europe', 'us');
CREATE TYPE decision_scope AS ENUM ('workspace', 'member', 'key', 'request', 'draft');
CREATE TYPE exception_kind AS ENUM ('raise_limit', 'lift_rule', 'allow_phrase');
CREATE TYPE export_content AS ENUM ('none', 'masked', 'full');
CREATE TYPE export_kind AS ENUM ('otlp', 's3_jsonl');
CREATE TYPE generation_status AS ENUM ('succeeded', 'failed', 'blocked', 'cancelled');
CREATE TYPE key_kind AS ENUM ('management', 'inference');
CREATE TYPE latency_measure AS ENUM ('time_to_first_token', 'duration');
CREATE TYPE notification_channel AS ENUM ('webhook', 'slack', 'email');
CREATE TYPE ownership AS ENUM ('platform', 'byok');
CREATE TYPE preset_status AS ENUM ('active', 'disabled', 'archived');
CREATE TYPE protocol AS ENUM ('chat_completions', 'responses', 'messages', 'generate_content', 'converse', 'completions', 'embeddings', 'moderations');
CREATE TYPE provider_kind AS ENUM ('openai', 'anthropic', 'azure', 'gemini', 'vertex', 'bedrock');
CREATE TYPE reset_interval AS ENUM ('daily', 'weekly', 'monthly');
CREATE TYPE role AS ENUM ('admin', 'member');
CREATE TYPE rollup_grain AS ENUM ('hour', 'day', 'week');
CREATE TYPE webhook_delivery_status AS ENUM ('pending', 'delivered', 'failed');

CREATE FUNCTION note_content_removal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO content_removals (storage_key, created_at, generation_id)
  VALUES (OLD.storage_key, OLD.created_at, OLD.generation_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION note_policy_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  organization uuid;
BEGIN
  FOR organization IN EXECUTE 'SELECT DISTINCT organization_id FROM ' || TG_ARGV[0] LOOP
    INSERT INTO policy_changes (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('policy_changes', organization::text);
  END LOOP;
  RETURN NULL;
END $$;

CREATE TABLE alert_firings (
    id uuid NOT NULL,
    rule_id uuid NOT NULL,
    subject text NOT NULL,
    message text NOT NULL,
    value double precision NOT NULL,
    threshold double precision NOT NULL,
    is_test boolean DEFAULT false NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    notified_at timestamp(3) with time zone,
    resolved_at timestamp(3) with time zone
);

CREATE TABLE alert_rules (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    workspace_id uuid,
    name text NOT NULL,
    kind alert_kind NOT NULL,
    threshold double precision NOT NULL,
    window_minutes integer NOT NULL,
    min_requests integer NOT NULL,
    quiet_minutes integer NOT NULL,
    filters jsonb DEFAULT '{}'::jsonb NOT NULL,
    webhook_ids jsonb DEFAULT '[]'::jsonb NOT NULL,
    slack_ciphertext text,
    slack_hint text,
    emails jsonb DEFAULT '[]'::jsonb NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    evaluated_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone
);

CREATE TABLE audit_events (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    workspace_id uuid,
    actor_type text NOT NULL,
    actor_id text,
    actor_name text,
    action text NOT NULL,
    target_type text NOT NULL,
    target_id text NOT NULL,
    target_name text,
    before jsonb,
    after jsonb,
    ip text,
    request_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE block_spikes (
    id uuid NOT NULL,
    guardrail_id uuid NOT NULL,
    blocked integer NOT NULL,
    usual_blocked double precision NOT NULL,
    started_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone
);

CREATE TABLE budget_alerts (
    budget_id uuid NOT NULL,
    percent integer NOT NULL,
    spent_micro_usd bigint NOT NULL,
    limit_micro_usd bigint NOT NULL,
    reached_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE budget_leases (
    budget_id uuid NOT NULL,
    id uuid NOT NULL,
    micro_usd bigint NOT NULL,
    reserved_micro_usd bigint NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE budgets (
    id uuid NOT NULL,
    source_id uuid NOT NULL,
    subject budget_subject NOT NULL,
    subject_id text NOT NULL,
    "window" budget_window NOT NULL,
    window_start timestamp(3) with time zone NOT NULL,
    spent_micro_usd bigint DEFAULT 0 NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    recalled_at timestamp(3) with time zone,
    CONSTRAINT budgets_spent_range CHECK ((spent_micro_usd >= 0))
);

CREATE TABLE busy_subjects (
    organization_id uuid NOT NULL,
    subject_id text NOT NULL,
    is_member boolean NOT NULL,
    since timestamp(3) with time zone NOT NULL
);

CREATE TABLE catalogue_snapshots (
    organization_id uuid NOT NULL,
    hash text NOT NULL,
    endpoints jsonb NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE content_keys (
    organization_id uuid NOT NULL,
    ciphertext text NOT NULL
);

CREATE TABLE content_removals (
    storage_key text NOT NULL,
    created_at timestamp(3) with time zone NOT NULL,
    generation_id text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    due_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE decisions (
    created_at timestamp(3) with time zone NOT NULL,
    generation_id text NOT NULL,
    "position" integer NOT NULL,
    scope decision_scope NOT NULL,
    guardrail_id uuid,
    guardrail_name text,
    revision integer,
    field text NOT NULL,
    rule text,
    action text NOT NULL,
    spans jsonb NOT NULL,
    exception jsonb,
    reason text,
    direction text,
    withheld integer
);

CREATE TABLE endpoints (
    id uuid NOT NULL,
    model_id uuid NOT NULL,
    provider_id uuid NOT NULL,
    upstream_model text NOT NULL,
    price_prompt numeric(20,10) DEFAULT 0 NOT NULL,
    price_completion numeric(20,10) DEFAULT 0 NOT NULL,
    price_request numeric(20,10) DEFAULT 0 NOT NULL,
    zdr boolean,
    quantization text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    supported_parameters jsonb,
    price_details jsonb,
    data_region data_region DEFAULT 'global'::data_region NOT NULL,
    CONSTRAINT endpoints_prices_range CHECK (((price_prompt >= (0)::numeric) AND (price_completion >= (0)::numeric) AND (price_request >= (0)::numeric)))
);

CREATE TABLE exceptions (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    key_id uuid,
    user_id text,
    guardrail_id uuid,
    kind exception_kind NOT NULL,
    field text,
    rule text,
    raise_micro_usd bigint,
    phrase text,
    reason text NOT NULL,
    created_by text,
    created_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ended_at timestamp(3) with time zone,
    CONSTRAINT exceptions_kind_check CHECK (
CASE kind
    WHEN 'raise_limit'::exception_kind THEN ((raise_micro_usd > 0) AND ((guardrail_id IS NOT NULL) OR (key_id IS NOT NULL)))
    WHEN 'lift_rule'::exception_kind THEN ((guardrail_id IS NOT NULL) AND (field IS NOT NULL))
    WHEN 'allow_phrase'::exception_kind THEN ((guardrail_id IS NULL) AND (phrase <> ''::text))
    ELSE NULL::boolean
END),
    CONSTRAINT exceptions_subject_check CHECK (((key_id IS NULL) <> (user_id IS NULL)))
);

CREATE TABLE export_destinations (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    kind export_kind NOT NULL,
    content export_content NOT NULL,
    target jsonb NOT NULL,
    secret_ciphertext text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    paused_reason text,
    recorded_in bigint NOT NULL,
    generation_id text NOT NULL,
    next_run_at timestamp(3) with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone,
    batch_size integer
);

CREATE TABLE export_runs (
    id uuid NOT NULL,
    destination_id uuid NOT NULL,
    is_test boolean DEFAULT false NOT NULL,
    generations integer NOT NULL,
    error text,
    started_at timestamp(3) with time zone NOT NULL,
    duration_ms integer NOT NULL,
    rejected integer DEFAULT 0 NOT NULL,
    rejection text,
    skipped_generation_id text
);

CREATE TABLE generation_contents (
    created_at timestamp(3) with time zone NOT NULL,
    generation_id text NOT NULL,
    input jsonb NOT NULL,
    completion text,
    reasoning text,
    tool_calls jsonb,
    error jsonb,
    search_text text NOT NULL,
    choices jsonb,
    blocked_input jsonb,
    storage_key text,
    stored_bytes integer,
    awaits_upload boolean
);

CREATE TABLE generations (
    created_at timestamp(3) with time zone NOT NULL,
    id text NOT NULL,
    organization_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    key_id uuid,
    user_id text,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    requested_model text NOT NULL,
    model text NOT NULL,
    provider_slug text,
    is_byok boolean DEFAULT false NOT NULL,
    preset_id uuid,
    preset_version integer,
    streamed boolean NOT NULL,
    finish_reason text,
    native_finish_reason text,
    tokens_prompt integer,
    tokens_completion integer,
    tokens_reasoning integer,
    tokens_cached integer,
    cost_micro_usd bigint DEFAULT 0 NOT NULL,
    latency_ms integer,
    generation_time_ms integer,
    timings jsonb,
    attempts jsonb NOT NULL,
    error_status integer,
    error_message text,
    upstream_id text,
    request_id text NOT NULL,
    session_id text,
    external_user text,
    http_referer text,
    app_title text,
    app_categories text,
    user_agent text,
    content_stored boolean NOT NULL,
    content_deleted_at timestamp(3) with time zone,
    metadata jsonb,
    usage_estimated boolean DEFAULT false NOT NULL,
    recorded_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    policy_facts jsonb,
    sent_by_user_id text,
    trace_id text,
    queue_ms integer,
    policy_ms integer,
    filters_ms integer,
    checks_ms integer,
    CONSTRAINT generations_cost_range CHECK ((cost_micro_usd >= 0))
);

CREATE TABLE guardrail_assignment_changes (
    id uuid NOT NULL,
    "position" bigint NOT NULL,
    organization_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind assignment_kind NOT NULL,
    steps jsonb NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    undone_at timestamp(3) with time zone
);

CREATE SEQUENCE guardrail_assignment_changes_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE guardrail_assignment_changes_position_seq OWNED BY guardrail_assignment_changes."position";

CREATE TABLE guardrail_key_assignments (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    guardrail_id uuid NOT NULL,
    key_id uuid NOT NULL,
    assigned_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE guardrail_keys (
    organization_id uuid NOT NULL,
    guardrail_id uuid NOT NULL,
    key_id uuid NOT NULL
);

CREATE TABLE guardrail_member_assignments (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    guardrail_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    assigned_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE guardrail_revisions (
    guardrail_id uuid NOT NULL,
    revision integer NOT NULL,
    fields jsonb NOT NULL,
    author_id text,
    message text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE guardrail_thresholds (
    guardrail_id uuid NOT NULL,
    percents jsonb NOT NULL
);

CREATE TABLE guardrails (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    name text NOT NULL,
    description text,
    allowed_models jsonb,
    ignored_models jsonb,
    allowed_providers jsonb,
    ignored_providers jsonb,
    limit_micro_usd bigint,
    reset_interval reset_interval,
    include_byok_in_budgets boolean DEFAULT false NOT NULL,
    enforce_zdr boolean,
    enforce_zdr_vendor_a boolean,
    enforce_zdr_vendor_b boolean,
    enforce_zdr_vendor_c boolean,
    enforce_zdr_other boolean,
    content_filter_builtins jsonb,
    content_filters jsonb,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    tests_required boolean DEFAULT false NOT NULL,
    external_checks jsonb,
    check_secrets jsonb,
    judges jsonb,
    allowed_data_regions jsonb,
    CONSTRAINT guardrails_description_length CHECK ((char_length(description) <= 1000)),
    CONSTRAINT guardrails_limit_range CHECK (((limit_micro_usd >= 0) AND (limit_micro_usd <= '1000000000000000'::bigint))),
    CONSTRAINT guardrails_name_length CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
    CONSTRAINT guardrails_revision_positive CHECK ((revision >= 1))
);

CREATE TABLE idempotency_records (
    caller_id text NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    answer_ciphertext text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE instances (
    id uuid NOT NULL,
    secret_key_ids text[],
    writes_with text NOT NULL,
    seen_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE invitations (
    token_hash text NOT NULL,
    member_id text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE key_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    key_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE key_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    key_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE key_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    key_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE key_secrets (
    hash text NOT NULL,
    key_id uuid NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    expires_at timestamp(3) with time zone,
    CONSTRAINT key_secrets_hash_form CHECK ((hash ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE key_spend_days (
    key_id uuid NOT NULL,
    day date NOT NULL,
    is_byok boolean NOT NULL,
    cost_micro_usd bigint NOT NULL,
    last_used_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    creator_user_id text,
    kind key_kind NOT NULL,
    hash text NOT NULL,
    name text NOT NULL,
    label text NOT NULL,
    disabled boolean DEFAULT false NOT NULL,
    limit_micro_usd bigint,
    limit_reset reset_interval,
    include_byok_in_limit boolean DEFAULT false NOT NULL,
    expires_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    tags text[] DEFAULT ARRAY[]::text[],
    CONSTRAINT keys_hash_form CHECK ((hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT keys_limit_range CHECK (((limit_micro_usd >= 0) AND (limit_micro_usd <= '1000000000000000'::bigint)))
);

CREATE TABLE latency_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    measure latency_measure NOT NULL,
    model text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    provider_slug text NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
)
PARTITION BY LIST (grain);

CREATE TABLE latency_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    measure latency_measure NOT NULL,
    model text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    provider_slug text NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
);

CREATE TABLE latency_rollups_hour (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    measure latency_measure NOT NULL,
    model text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    provider_slug text NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
);

CREATE TABLE latency_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    measure latency_measure NOT NULL,
    model text NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    provider_slug text NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
);

CREATE TABLE member_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE member_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE member_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE members (
    id text NOT NULL,
    organization_id uuid NOT NULL,
    email text NOT NULL,
    first_name text,
    last_name text,
    role role DEFAULT 'member'::role NOT NULL,
    password_hash text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    deleted_at timestamp(3) with time zone,
    must_change_password boolean DEFAULT false NOT NULL,
    totp_confirmed_at timestamp(3) with time zone,
    totp_last_step integer,
    totp_secret text,
    tags text[] DEFAULT ARRAY[]::text[],
    CONSTRAINT members_email_lower CHECK ((email = lower(email)))
);

CREATE TABLE models (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    slug text NOT NULL,
    canonical_slug text NOT NULL,
    name text NOT NULL,
    vendor text NOT NULL,
    context_length integer,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    distillable boolean,
    max_output_tokens integer
);

CREATE TABLE notifications (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    channel notification_channel NOT NULL,
    type text NOT NULL,
    recipient text NOT NULL,
    firing_id uuid,
    webhook_delivery_id uuid,
    payload_ciphertext text,
    status webhook_delivery_status DEFAULT 'pending'::webhook_delivery_status NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE organizations (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    budget_thresholds jsonb DEFAULT '[50, 80, 100]'::jsonb NOT NULL,
    key_self_service jsonb
);

CREATE TABLE passkeys (
    id uuid NOT NULL,
    member_id text NOT NULL,
    credential_id text NOT NULL,
    public_key bytea NOT NULL,
    counter bigint NOT NULL,
    transports text[],
    name text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp(3) with time zone
);

CREATE TABLE policy_changes (
    organization_id uuid NOT NULL,
    changed_in bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE policy_tests (
    id uuid NOT NULL,
    guardrail_id uuid NOT NULL,
    name text NOT NULL,
    protocol protocol NOT NULL,
    request jsonb NOT NULL,
    outcome text NOT NULL,
    field text,
    rule text,
    created_by text,
    created_at timestamp(3) with time zone NOT NULL,
    updated_at timestamp(3) with time zone,
    check_verdicts jsonb,
    answer text
);

CREATE TABLE preset_labels (
    preset_id uuid NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    CONSTRAINT preset_labels_name_check CHECK (((name ~ '^[a-z][a-z0-9]*([-_.][a-z0-9]+)*$'::text) AND (length(name) <= 32)))
);

CREATE TABLE preset_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE preset_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE preset_rollups_hour (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE preset_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE preset_versions (
    id uuid NOT NULL,
    preset_id uuid NOT NULL,
    version integer NOT NULL,
    config jsonb NOT NULL,
    system_prompt text NOT NULL,
    creator_id text NOT NULL,
    message text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    CONSTRAINT preset_versions_version_positive CHECK ((version >= 1))
);

CREATE TABLE presets (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    description text,
    status preset_status DEFAULT 'active'::preset_status NOT NULL,
    status_updated_at timestamp(3) with time zone,
    revision integer DEFAULT 1 NOT NULL,
    latest_version integer DEFAULT 1 NOT NULL,
    designated_version integer DEFAULT 1 NOT NULL,
    creator_user_id text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT presets_slug_form CHECK (((slug ~ '^[a-z0-9]+([-_.~][a-z0-9]+)*$'::text) AND (char_length(slug) <= 128))),
    CONSTRAINT presets_versions_ordered CHECK (((designated_version >= 1) AND (designated_version <= latest_version)))
);

CREATE TABLE providers (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    base_url text,
    protocol protocol DEFAULT 'chat_completions'::protocol NOT NULL,
    api_key_ciphertext text,
    headers jsonb,
    zdr boolean DEFAULT false NOT NULL,
    trains boolean DEFAULT false NOT NULL,
    ownership ownership DEFAULT 'platform'::ownership NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    kind provider_kind DEFAULT 'openai'::provider_kind NOT NULL,
    settings jsonb,
    credentials jsonb
);

CREATE UNLOGGED TABLE rate_buckets (
    subject text NOT NULL,
    tokens double precision NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    granted integer NOT NULL
);

CREATE TABLE recovery_codes (
    code_hash text NOT NULL,
    member_id text NOT NULL,
    used_at timestamp(3) with time zone
);

CREATE TABLE rollup_progress (
    organization_id uuid NOT NULL,
    recorded_in bigint DEFAULT 0 NOT NULL,
    generation_id text DEFAULT ''::text NOT NULL,
    subjects_up_to text DEFAULT ''::text NOT NULL
);

CREATE TABLE rule_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    guardrail_id uuid NOT NULL,
    field text NOT NULL,
    rule_hash text NOT NULL,
    action text NOT NULL,
    rule text,
    guardrail_name text,
    requests bigint NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE rule_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    guardrail_id uuid NOT NULL,
    field text NOT NULL,
    rule_hash text NOT NULL,
    action text NOT NULL,
    rule text,
    guardrail_name text,
    requests bigint NOT NULL
);

CREATE TABLE rule_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    user_id text NOT NULL,
    guardrail_id uuid NOT NULL,
    field text NOT NULL,
    rule_hash text NOT NULL,
    action text NOT NULL,
    rule text,
    guardrail_name text,
    requests bigint NOT NULL
);

CREATE TABLE saved_views (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    owner_id text,
    page text NOT NULL,
    name text NOT NULL,
    query text NOT NULL,
    is_shared boolean NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sessions (
    token_hash text NOT NULL,
    id uuid NOT NULL,
    member_id text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_seen_at timestamp(3) with time zone NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL,
    ip text,
    user_agent text,
    authenticated_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE sign_in_failures (
    key text NOT NULL,
    count integer NOT NULL,
    last_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE subject_latency_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    subject_id text NOT NULL,
    measure latency_measure NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
)
PARTITION BY LIST (grain);

CREATE TABLE subject_latency_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    subject_id text NOT NULL,
    measure latency_measure NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
);

CREATE TABLE subject_latency_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    subject_id text NOT NULL,
    measure latency_measure NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    status generation_status NOT NULL,
    bins smallint[],
    counts bigint[]
);

CREATE TABLE subject_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    subject_id text NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE subject_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    subject_id text NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    api_type protocol NOT NULL,
    preset_id uuid NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
);

CREATE TABLE tag_placements (
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    user_id text NOT NULL,
    key_tags text[],
    member_tags text[],
    tag_set_id uuid NOT NULL
);

CREATE TABLE tag_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    tag_set_id uuid NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE tag_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    tag_set_id uuid NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE tag_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    tag_set_id uuid NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL
);

CREATE TABLE tag_sets (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    tags text[]
);

CREATE TABLE usage_rollups (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
)
PARTITION BY LIST (grain);

CREATE TABLE usage_rollups_day (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
);

CREATE TABLE usage_rollups_hour (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
);

CREATE TABLE usage_rollups_week (
    organization_id uuid NOT NULL,
    grain rollup_grain NOT NULL,
    guardrail_id uuid NOT NULL,
    at timestamp(3) with time zone NOT NULL,
    workspace_id uuid NOT NULL,
    model text NOT NULL,
    provider_slug text NOT NULL,
    status generation_status NOT NULL,
    requests bigint NOT NULL,
    spend bigint NOT NULL,
    tokens_prompt bigint NOT NULL,
    tokens_completion bigint NOT NULL,
    tokens_cached bigint NOT NULL,
    timed_tokens bigint NOT NULL,
    timed_ms bigint NOT NULL,
    byok_spend bigint NOT NULL,
    tokens_reasoning bigint NOT NULL,
    blocks bigint DEFAULT 0 NOT NULL
);

CREATE TABLE used_challenges (
    hash text NOT NULL,
    expires_at timestamp(3) with time zone NOT NULL
);

CREATE TABLE webhook_deliveries (
    id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    type text NOT NULL,
    body text NOT NULL,
    status webhook_delivery_status DEFAULT 'pending'::webhook_delivery_status NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    next_attempt_at timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE webhooks (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    url text NOT NULL,
    description text,
    events jsonb NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    disabled_reason text,
    secret_ciphertext text NOT NULL,
    previous_secret_ciphertext text,
    previous_secret_expires_at timestamp(3) with time zone,
    failing_since timestamp(3) with time zone,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone
);

CREATE TABLE workspaces (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    name text NOT NULL,
    slug text NOT NULL,
    description text,
    is_default boolean DEFAULT false NOT NULL,
    default_guardrail_id uuid,
    content_logging boolean NOT NULL,
    content_retention_days integer,
    metadata_retention_days integer,
    created_by text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    updated_at timestamp(3) with time zone,
    regions text[] DEFAULT ARRAY[]::text[],
    deleted_at timestamp(3) with time zone
);

ALTER TABLE ONLY key_rollups ATTACH PARTITION key_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY key_rollups ATTACH PARTITION key_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY latency_rollups ATTACH PARTITION latency_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY latency_rollups ATTACH PARTITION latency_rollups_hour FOR VALUES IN ('hour');
ALTER TABLE ONLY latency_rollups ATTACH PARTITION latency_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY member_rollups ATTACH PARTITION member_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY member_rollups ATTACH PARTITION member_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY preset_rollups ATTACH PARTITION preset_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY preset_rollups ATTACH PARTITION preset_rollups_hour FOR VALUES IN ('hour');
ALTER TABLE ONLY preset_rollups ATTACH PARTITION preset_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY rule_rollups ATTACH PARTITION rule_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY rule_rollups ATTACH PARTITION rule_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY subject_latency_rollups ATTACH PARTITION subject_latency_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY subject_latency_rollups ATTACH PARTITION subject_latency_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY subject_rollups ATTACH PARTITION subject_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY tag_rollups ATTACH PARTITION tag_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY tag_rollups ATTACH PARTITION tag_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY usage_rollups ATTACH PARTITION usage_rollups_day FOR VALUES IN ('day');
ALTER TABLE ONLY usage_rollups ATTACH PARTITION usage_rollups_hour FOR VALUES IN ('hour');
ALTER TABLE ONLY usage_rollups ATTACH PARTITION usage_rollups_week FOR VALUES IN ('week');
ALTER TABLE ONLY guardrail_assignment_changes ALTER COLUMN "position" SET DEFAULT nextval('guardrail_assignment_changes_position_seq'::regclass);
ALTER TABLE ONLY alert_firings ADD CONSTRAINT alert_firings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY alert_rules ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (id);
ALTER TABLE ONLY audit_events ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY block_spikes ADD CONSTRAINT block_spikes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY budget_alerts ADD CONSTRAINT budget_alerts_pkey PRIMARY KEY (budget_id, percent);
ALTER TABLE ONLY budget_leases ADD CONSTRAINT budget_leases_pkey PRIMARY KEY (budget_id, id);
ALTER TABLE ONLY budgets ADD CONSTRAINT budgets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY busy_subjects ADD CONSTRAINT busy_subjects_pkey PRIMARY KEY (organization_id, subject_id);
ALTER TABLE ONLY catalogue_snapshots ADD CONSTRAINT catalogue_snapshots_pkey PRIMARY KEY (organization_id, hash);
ALTER TABLE ONLY content_keys ADD CONSTRAINT content_keys_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY content_removals ADD CONSTRAINT content_removals_pkey PRIMARY KEY (storage_key);
ALTER TABLE ONLY decisions ADD CONSTRAINT decisions_pkey PRIMARY KEY (created_at, generation_id, "position");
ALTER TABLE ONLY endpoints ADD CONSTRAINT endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY exceptions ADD CONSTRAINT exceptions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY export_destinations ADD CONSTRAINT export_destinations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY export_runs ADD CONSTRAINT export_runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY generation_contents ADD CONSTRAINT generation_contents_pkey PRIMARY KEY (created_at, generation_id);
ALTER TABLE generations
    ADD CONSTRAINT generations_id_carries_second CHECK (starts_with(id, (('gen-'::text || (floor(EXTRACT(epoch FROM created_at)))::text) || '-'::text))) NOT VALID;

ALTER TABLE ONLY generations ADD CONSTRAINT generations_pkey PRIMARY KEY (organization_id, created_at, id);
ALTER TABLE ONLY guardrail_assignment_changes ADD CONSTRAINT guardrail_assignment_changes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY guardrail_key_assignments ADD CONSTRAINT guardrail_key_assignments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY guardrail_keys ADD CONSTRAINT guardrail_keys_pkey PRIMARY KEY (organization_id, guardrail_id, key_id);
ALTER TABLE ONLY guardrail_member_assignments ADD CONSTRAINT guardrail_member_assignments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY guardrail_revisions ADD CONSTRAINT guardrail_revisions_pkey PRIMARY KEY (guardrail_id, revision);
ALTER TABLE ONLY guardrail_thresholds ADD CONSTRAINT guardrail_thresholds_pkey PRIMARY KEY (guardrail_id);
ALTER TABLE ONLY guardrails ADD CONSTRAINT guardrails_pkey PRIMARY KEY (id);
ALTER TABLE ONLY idempotency_records ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (caller_id, key);
ALTER TABLE ONLY instances ADD CONSTRAINT instances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY key_rollups ADD CONSTRAINT key_rollups_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, key_id, user_id, status);
ALTER TABLE ONLY key_rollups_day ADD CONSTRAINT key_rollups_day_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, key_id, user_id, status);
ALTER TABLE ONLY key_rollups_week ADD CONSTRAINT key_rollups_week_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, key_id, user_id, status);
ALTER TABLE ONLY key_secrets ADD CONSTRAINT key_secrets_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY key_spend_days ADD CONSTRAINT key_spend_days_pkey PRIMARY KEY (key_id, day, is_byok);
ALTER TABLE ONLY keys ADD CONSTRAINT keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY latency_rollups ADD CONSTRAINT latency_rollups_pkey PRIMARY KEY (organization_id, grain, measure, model, at, provider_slug, workspace_id, status);
ALTER TABLE ONLY latency_rollups_day ADD CONSTRAINT latency_rollups_day_pkey PRIMARY KEY (organization_id, grain, measure, model, at, provider_slug, workspace_id, status);
ALTER TABLE ONLY latency_rollups_hour ADD CONSTRAINT latency_rollups_hour_pkey PRIMARY KEY (organization_id, grain, measure, model, at, provider_slug, workspace_id, status);
ALTER TABLE ONLY latency_rollups_week ADD CONSTRAINT latency_rollups_week_pkey PRIMARY KEY (organization_id, grain, measure, model, at, provider_slug, workspace_id, status);
ALTER TABLE ONLY member_rollups ADD CONSTRAINT member_rollups_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, status);
ALTER TABLE ONLY member_rollups_day ADD CONSTRAINT member_rollups_day_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, status);
ALTER TABLE ONLY member_rollups_week ADD CONSTRAINT member_rollups_week_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, status);
ALTER TABLE ONLY members ADD CONSTRAINT members_pkey PRIMARY KEY (id);
ALTER TABLE ONLY models ADD CONSTRAINT models_pkey PRIMARY KEY (id);
ALTER TABLE ONLY notifications ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);
ALTER TABLE ONLY organizations ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY policy_changes ADD CONSTRAINT policy_changes_pkey PRIMARY KEY (organization_id, changed_in);
ALTER TABLE ONLY policy_tests ADD CONSTRAINT policy_tests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY preset_labels ADD CONSTRAINT preset_labels_pkey PRIMARY KEY (preset_id, name);
ALTER TABLE ONLY preset_rollups ADD CONSTRAINT preset_rollups_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY preset_rollups_day ADD CONSTRAINT preset_rollups_day_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY preset_rollups_hour ADD CONSTRAINT preset_rollups_hour_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY preset_rollups_week ADD CONSTRAINT preset_rollups_week_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY preset_versions ADD CONSTRAINT preset_versions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY presets ADD CONSTRAINT presets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY providers ADD CONSTRAINT providers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY rate_buckets ADD CONSTRAINT rate_buckets_pkey PRIMARY KEY (subject);
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (code_hash);
ALTER TABLE ONLY rollup_progress ADD CONSTRAINT rollup_progress_pkey PRIMARY KEY (organization_id);
ALTER TABLE ONLY rule_rollups ADD CONSTRAINT rule_rollups_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, guardrail_id, field, rule_hash, action);
ALTER TABLE ONLY rule_rollups_day ADD CONSTRAINT rule_rollups_day_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, guardrail_id, field, rule_hash, action);
ALTER TABLE ONLY rule_rollups_week ADD CONSTRAINT rule_rollups_week_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, user_id, guardrail_id, field, rule_hash, action);
ALTER TABLE ONLY saved_views ADD CONSTRAINT saved_views_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY sign_in_failures ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (key);
ALTER TABLE ONLY subject_latency_rollups ADD CONSTRAINT subject_latency_rollups_pkey PRIMARY KEY (organization_id, grain, subject_id, measure, at, workspace_id, status);
ALTER TABLE ONLY subject_latency_rollups_day ADD CONSTRAINT subject_latency_rollups_day_pkey PRIMARY KEY (organization_id, grain, subject_id, measure, at, workspace_id, status);
ALTER TABLE ONLY subject_latency_rollups_week ADD CONSTRAINT subject_latency_rollups_week_pkey PRIMARY KEY (organization_id, grain, subject_id, measure, at, workspace_id, status);
ALTER TABLE ONLY subject_rollups ADD CONSTRAINT subject_rollups_pkey PRIMARY KEY (organization_id, grain, subject_id, guardrail_id, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY subject_rollups_day ADD CONSTRAINT subject_rollups_day_pkey PRIMARY KEY (organization_id, grain, subject_id, guardrail_id, at, workspace_id, model, provider_slug, status, api_type, preset_id);
ALTER TABLE ONLY tag_placements ADD CONSTRAINT tag_placements_pkey PRIMARY KEY (organization_id, key_id, user_id);
ALTER TABLE ONLY tag_rollups ADD CONSTRAINT tag_rollups_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, tag_set_id, status);
ALTER TABLE ONLY tag_rollups_day ADD CONSTRAINT tag_rollups_day_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, tag_set_id, status);
ALTER TABLE ONLY tag_rollups_week ADD CONSTRAINT tag_rollups_week_pkey PRIMARY KEY (organization_id, grain, at, workspace_id, tag_set_id, status);
ALTER TABLE ONLY tag_sets ADD CONSTRAINT tag_sets_pkey PRIMARY KEY (organization_id, id);
ALTER TABLE ONLY usage_rollups ADD CONSTRAINT usage_rollups_pkey PRIMARY KEY (organization_id, grain, guardrail_id, at, workspace_id, model, provider_slug, status);
ALTER TABLE ONLY usage_rollups_day ADD CONSTRAINT usage_rollups_day_pkey PRIMARY KEY (organization_id, grain, guardrail_id, at, workspace_id, model, provider_slug, status);
ALTER TABLE ONLY usage_rollups_hour ADD CONSTRAINT usage_rollups_hour_pkey PRIMARY KEY (organization_id, grain, guardrail_id, at, workspace_id, model, provider_slug, status);
ALTER TABLE ONLY usage_rollups_week ADD CONSTRAINT usage_rollups_week_pkey PRIMARY KEY (organization_id, grain, guardrail_id, at, workspace_id, model, provider_slug, status);
ALTER TABLE ONLY used_challenges ADD CONSTRAINT used_challenges_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY workspaces ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);
CREATE UNIQUE INDEX alert_firings_open_key ON alert_firings USING btree (rule_id, subject) WHERE (resolved_at IS NULL);
CREATE INDEX alert_firings_rule_id_started_at_id_idx ON alert_firings USING btree (rule_id, started_at DESC, id DESC);
CREATE INDEX alert_firings_started_at_idx ON alert_firings USING btree (started_at);
CREATE INDEX alert_rules_organization_id_created_at_idx ON alert_rules USING btree (organization_id, created_at);
CREATE INDEX audit_events_organization_id_action_created_at_idx ON audit_events USING btree (organization_id, action, created_at DESC);
CREATE INDEX audit_events_organization_id_actor_id_created_at_idx ON audit_events USING btree (organization_id, actor_id, created_at DESC);
CREATE INDEX audit_events_organization_id_created_at_id_idx ON audit_events USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX audit_events_organization_id_target_type_target_id_created__idx ON audit_events USING btree (organization_id, target_type, target_id, created_at DESC);
CREATE INDEX block_spikes_guardrail_id_started_at_idx ON block_spikes USING btree (guardrail_id, started_at);
CREATE UNIQUE INDEX block_spikes_open_key ON block_spikes USING btree (guardrail_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX budgets_source_id_subject_subject_id_window_window_start_key ON budgets USING btree (source_id, subject, subject_id, "window", window_start);
CREATE INDEX content_removals_due_at_idx ON content_removals USING btree (due_at);
CREATE INDEX decisions_action_created_at_generation_id_idx ON decisions USING btree (action, created_at, generation_id);
CREATE INDEX decisions_field_created_at_idx ON decisions USING btree (field, created_at);
CREATE INDEX decisions_guardrail_id_created_at_idx ON decisions USING btree (guardrail_id, created_at);
CREATE INDEX decisions_rule_idx ON decisions USING btree (md5(rule), created_at);
CREATE UNIQUE INDEX endpoints_model_id_provider_id_upstream_model_key ON endpoints USING btree (model_id, provider_id, upstream_model);
CREATE INDEX endpoints_provider_id_idx ON endpoints USING btree (provider_id);
CREATE INDEX exceptions_guardrail_id_expires_at_idx ON exceptions USING btree (guardrail_id, expires_at);
CREATE INDEX exceptions_key_id_expires_at_idx ON exceptions USING btree (key_id, expires_at);
CREATE INDEX exceptions_organization_id_created_at_id_idx ON exceptions USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX exceptions_user_id_expires_at_idx ON exceptions USING btree (user_id, expires_at);
CREATE INDEX export_destinations_organization_id_created_at_idx ON export_destinations USING btree (organization_id, created_at);
CREATE INDEX export_runs_destination_id_started_at_idx ON export_runs USING btree (destination_id, started_at);
CREATE INDEX generation_contents_awaits_upload_idx ON generation_contents USING btree (created_at, generation_id) WHERE awaits_upload;
CREATE INDEX generation_contents_search_idx ON generation_contents USING gin (to_tsvector('simple'::regconfig, "left"(search_text, 200000)));
CREATE INDEX generations_key_id_created_at_is_byok_cost_micro_usd_idx ON generations USING btree (key_id, created_at, is_byok, cost_micro_usd);
CREATE INDEX generations_organization_id_cost_micro_usd_blocked_idx ON generations USING btree (organization_id, cost_micro_usd) WHERE (status = 'blocked'::generation_status);
CREATE INDEX generations_organization_id_cost_micro_usd_idx ON generations USING btree (organization_id, cost_micro_usd);
CREATE INDEX generations_organization_id_model_created_at_blocked_idx ON generations USING btree (organization_id, model, created_at) WHERE (status = 'blocked'::generation_status);
CREATE INDEX generations_organization_id_model_created_at_idx ON generations USING btree (organization_id, model, created_at);
CREATE INDEX generations_organization_id_preset_version_created_at_idx ON generations USING btree (organization_id, preset_version, created_at) WHERE (preset_version IS NOT NULL);
CREATE INDEX generations_organization_id_provider_slug_created_at_idx ON generations USING btree (organization_id, provider_slug, created_at);
CREATE INDEX generations_organization_id_recorded_in_idx ON generations USING btree (organization_id, recorded_in);
CREATE INDEX generations_organization_id_session_id_created_at_idx ON generations USING btree (organization_id, session_id, created_at) WHERE (session_id IS NOT NULL);
CREATE INDEX generations_organization_id_status_created_at_idx ON generations USING btree (organization_id, status, created_at) WHERE (status <> 'succeeded'::generation_status);
CREATE INDEX generations_organization_id_trace_id_created_at_idx ON generations USING btree (organization_id, trace_id, created_at) WHERE (trace_id IS NOT NULL);
CREATE INDEX generations_preset_id_created_at_idx ON generations USING btree (preset_id, created_at) WHERE (preset_id IS NOT NULL);
CREATE INDEX generations_user_id_created_at_idx ON generations USING btree (user_id, created_at);
CREATE INDEX generations_workspace_id_created_at_idx ON generations USING btree (workspace_id, created_at);
CREATE INDEX guardrail_assignment_changes_created_at_idx ON guardrail_assignment_changes USING btree (created_at);
CREATE INDEX guardrail_assignment_changes_workspace_id_kind_position_idx ON guardrail_assignment_changes USING btree (workspace_id, kind, "position");
CREATE INDEX guardrail_key_assignments_guardrail_id_created_at_id_idx ON guardrail_key_assignments USING btree (guardrail_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX guardrail_key_assignments_key_id_key ON guardrail_key_assignments USING btree (key_id);
CREATE INDEX guardrail_key_assignments_organization_id_created_at_id_idx ON guardrail_key_assignments USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX guardrail_member_assignments_guardrail_id_created_at_id_idx ON guardrail_member_assignments USING btree (guardrail_id, created_at DESC, id DESC);
CREATE INDEX guardrail_member_assignments_organization_id_created_at_id_idx ON guardrail_member_assignments USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX guardrail_member_assignments_user_id_idx ON guardrail_member_assignments USING btree (user_id);
CREATE UNIQUE INDEX guardrail_member_assignments_workspace_id_user_id_key ON guardrail_member_assignments USING btree (workspace_id, user_id);
CREATE INDEX guardrails_workspace_id_created_at_id_idx ON guardrails USING btree (workspace_id, created_at DESC, id DESC);
CREATE INDEX idempotency_records_created_at_idx ON idempotency_records USING btree (created_at);
CREATE INDEX invitations_member_id_idx ON invitations USING btree (member_id);
CREATE INDEX key_rollups_key_id_grain_at_idx ON ONLY key_rollups USING btree (key_id, grain, at);
CREATE INDEX key_rollups_day_key_id_grain_at_idx ON key_rollups_day USING btree (key_id, grain, at);
CREATE INDEX key_rollups_week_key_id_grain_at_idx ON key_rollups_week USING btree (key_id, grain, at);
CREATE INDEX key_secrets_key_id_idx ON key_secrets USING btree (key_id);
CREATE INDEX keys_creator_user_id_idx ON keys USING btree (creator_user_id);
CREATE UNIQUE INDEX keys_hash_key ON keys USING btree (hash);
CREATE INDEX keys_organization_id_created_at_id_idx ON keys USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX members_email_living_key ON members USING btree (email) WHERE (deleted_at IS NULL);
CREATE INDEX members_organization_id_created_at_id_idx ON members USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX models_organization_id_canonical_slug_idx ON models USING btree (organization_id, canonical_slug);
CREATE UNIQUE INDEX models_organization_id_slug_key ON models USING btree (organization_id, slug);
CREATE INDEX notifications_created_at_idx ON notifications USING btree (created_at);
CREATE INDEX notifications_firing_id_idx ON notifications USING btree (firing_id);
CREATE INDEX notifications_webhook_delivery_id_idx ON notifications USING btree (webhook_delivery_id);
CREATE UNIQUE INDEX passkeys_credential_id_key ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_member_id_idx ON passkeys USING btree (member_id);
CREATE INDEX policy_changes_changed_in_idx ON policy_changes USING btree (changed_in);
CREATE INDEX policy_tests_guardrail_id_created_at_id_idx ON policy_tests USING btree (guardrail_id, created_at, id);
CREATE UNIQUE INDEX preset_versions_preset_id_version_key ON preset_versions USING btree (preset_id, version);
CREATE UNIQUE INDEX presets_workspace_id_slug_key ON presets USING btree (workspace_id, slug);
CREATE INDEX presets_workspace_id_updated_at_id_idx ON presets USING btree (workspace_id, updated_at DESC, id DESC);
CREATE UNIQUE INDEX providers_organization_id_slug_key ON providers USING btree (organization_id, slug);
CREATE INDEX rate_buckets_at_idx ON rate_buckets USING btree (at);
CREATE INDEX recovery_codes_member_id_idx ON recovery_codes USING btree (member_id);
CREATE UNIQUE INDEX saved_views_organization_id_page_owner_id_name_key ON saved_views USING btree (organization_id, page, owner_id, name);
CREATE UNIQUE INDEX sessions_id_key ON sessions USING btree (id);
CREATE INDEX sessions_member_id_idx ON sessions USING btree (member_id);
CREATE INDEX sign_in_failures_last_at_idx ON sign_in_failures USING btree (last_at);
CREATE INDEX usage_rollups_at_idx ON ONLY usage_rollups USING brin (at);
CREATE INDEX usage_rollups_day_at_idx ON usage_rollups_day USING brin (at);
CREATE INDEX usage_rollups_hour_at_idx ON usage_rollups_hour USING brin (at);
CREATE INDEX usage_rollups_week_at_idx ON usage_rollups_week USING brin (at);
CREATE INDEX used_challenges_expires_at_idx ON used_challenges USING btree (expires_at);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_webhook_id_created_at_id_idx ON webhook_deliveries USING btree (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhooks_organization_id_created_at_idx ON webhooks USING btree (organization_id, created_at);
CREATE UNIQUE INDEX workspaces_default_key ON workspaces USING btree (organization_id) WHERE is_default;
CREATE INDEX workspaces_organization_id_created_at_id_idx ON workspaces USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX workspaces_organization_id_slug_key ON workspaces USING btree (organization_id, slug);
ALTER INDEX key_rollups_key_id_grain_at_idx ATTACH PARTITION key_rollups_day_key_id_grain_at_idx;
ALTER INDEX key_rollups_pkey ATTACH PARTITION key_rollups_day_pkey;
ALTER INDEX key_rollups_key_id_grain_at_idx ATTACH PARTITION key_rollups_week_key_id_grain_at_idx;
ALTER INDEX key_rollups_pkey ATTACH PARTITION key_rollups_week_pkey;
ALTER INDEX latency_rollups_pkey ATTACH PARTITION latency_rollups_day_pkey;
ALTER INDEX latency_rollups_pkey ATTACH PARTITION latency_rollups_hour_pkey;
ALTER INDEX latency_rollups_pkey ATTACH PARTITION latency_rollups_week_pkey;
ALTER INDEX member_rollups_pkey ATTACH PARTITION member_rollups_day_pkey;
ALTER INDEX member_rollups_pkey ATTACH PARTITION member_rollups_week_pkey;
ALTER INDEX preset_rollups_pkey ATTACH PARTITION preset_rollups_day_pkey;
ALTER INDEX preset_rollups_pkey ATTACH PARTITION preset_rollups_hour_pkey;
ALTER INDEX preset_rollups_pkey ATTACH PARTITION preset_rollups_week_pkey;
ALTER INDEX rule_rollups_pkey ATTACH PARTITION rule_rollups_day_pkey;
ALTER INDEX rule_rollups_pkey ATTACH PARTITION rule_rollups_week_pkey;
ALTER INDEX subject_latency_rollups_pkey ATTACH PARTITION subject_latency_rollups_day_pkey;
ALTER INDEX subject_latency_rollups_pkey ATTACH PARTITION subject_latency_rollups_week_pkey;
ALTER INDEX subject_rollups_pkey ATTACH PARTITION subject_rollups_day_pkey;
ALTER INDEX tag_rollups_pkey ATTACH PARTITION tag_rollups_day_pkey;
ALTER INDEX tag_rollups_pkey ATTACH PARTITION tag_rollups_week_pkey;
ALTER INDEX usage_rollups_at_idx ATTACH PARTITION usage_rollups_day_at_idx;
ALTER INDEX usage_rollups_pkey ATTACH PARTITION usage_rollups_day_pkey;
ALTER INDEX usage_rollups_at_idx ATTACH PARTITION usage_rollups_hour_at_idx;
ALTER INDEX usage_rollups_pkey ATTACH PARTITION usage_rollups_hour_pkey;
ALTER INDEX usage_rollups_at_idx ATTACH PARTITION usage_rollups_week_at_idx;
ALTER INDEX usage_rollups_pkey ATTACH PARTITION usage_rollups_week_pkey;
CREATE TRIGGER note_delete AFTER DELETE ON endpoints REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN models ON models.id = changed.model_id');
CREATE TRIGGER note_delete AFTER DELETE ON exceptions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON guardrail_key_assignments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON guardrail_member_assignments REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON guardrails REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_delete AFTER DELETE ON key_secrets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN keys ON keys.id = changed.key_id');
CREATE TRIGGER note_delete AFTER DELETE ON keys REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON models REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON preset_labels REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_delete AFTER DELETE ON preset_versions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_delete AFTER DELETE ON presets REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_delete AFTER DELETE ON providers REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_delete AFTER DELETE ON sessions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN members ON members.id = changed.member_id');
CREATE TRIGGER note_delete AFTER DELETE ON workspaces REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON endpoints REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN models ON models.id = changed.model_id');
CREATE TRIGGER note_insert AFTER INSERT ON exceptions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON guardrail_key_assignments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON guardrail_member_assignments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON guardrails REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_insert AFTER INSERT ON key_secrets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN keys ON keys.id = changed.key_id');
CREATE TRIGGER note_insert AFTER INSERT ON keys REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON models REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON preset_labels REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_insert AFTER INSERT ON preset_versions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_insert AFTER INSERT ON presets REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_insert AFTER INSERT ON providers REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON sessions REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN members ON members.id = changed.member_id');
CREATE TRIGGER note_insert AFTER INSERT ON workspaces REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_removal AFTER DELETE ON generation_contents FOR EACH ROW WHEN ((old.storage_key IS NOT NULL)) EXECUTE FUNCTION note_content_removal();
CREATE TRIGGER note_update AFTER UPDATE ON endpoints REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN models ON models.id = changed.model_id');
CREATE TRIGGER note_update AFTER UPDATE ON exceptions REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON guardrail_key_assignments REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON guardrail_member_assignments REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON guardrails REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_update AFTER UPDATE ON key_secrets REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN keys ON keys.id = changed.key_id');
CREATE TRIGGER note_update AFTER UPDATE ON keys REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON members REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON models REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON preset_labels REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_update AFTER UPDATE ON preset_versions REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id');
CREATE TRIGGER note_update AFTER UPDATE ON presets REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN workspaces ON workspaces.id = changed.workspace_id');
CREATE TRIGGER note_update AFTER UPDATE ON providers REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_update AFTER UPDATE ON sessions REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT fields->>''member_id'' AS member_id FROM (SELECT to_jsonb(changed) - ''last_seen_at'' AS fields FROM changed EXCEPT SELECT to_jsonb(before) - ''last_seen_at'' FROM before) AS differing) AS changed JOIN members ON members.id = changed.member_id');
CREATE TRIGGER note_update AFTER UPDATE ON workspaces REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
ALTER TABLE ONLY alert_firings ADD CONSTRAINT alert_firings_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES alert_rules(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_rules ADD CONSTRAINT alert_rules_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY alert_rules ADD CONSTRAINT alert_rules_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY audit_events ADD CONSTRAINT audit_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY block_spikes ADD CONSTRAINT block_spikes_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY budget_alerts ADD CONSTRAINT budget_alerts_budget_id_fkey FOREIGN KEY (budget_id) REFERENCES budgets(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY budget_leases ADD CONSTRAINT budget_leases_budget_id_fkey FOREIGN KEY (budget_id) REFERENCES budgets(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY busy_subjects ADD CONSTRAINT busy_subjects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY catalogue_snapshots ADD CONSTRAINT catalogue_snapshots_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY content_keys ADD CONSTRAINT content_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY endpoints ADD CONSTRAINT endpoints_model_id_fkey FOREIGN KEY (model_id) REFERENCES models(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY endpoints ADD CONSTRAINT endpoints_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES providers(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY exceptions ADD CONSTRAINT exceptions_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY exceptions ADD CONSTRAINT exceptions_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY exceptions ADD CONSTRAINT exceptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY exceptions ADD CONSTRAINT exceptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY export_destinations ADD CONSTRAINT export_destinations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY export_runs ADD CONSTRAINT export_runs_destination_id_fkey FOREIGN KEY (destination_id) REFERENCES export_destinations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_assignment_changes ADD CONSTRAINT guardrail_assignment_changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_key_assignments ADD CONSTRAINT guardrail_key_assignments_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_key_assignments ADD CONSTRAINT guardrail_key_assignments_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_key_assignments ADD CONSTRAINT guardrail_key_assignments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_keys ADD CONSTRAINT guardrail_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_member_assignments ADD CONSTRAINT guardrail_member_assignments_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_member_assignments ADD CONSTRAINT guardrail_member_assignments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_member_assignments ADD CONSTRAINT guardrail_member_assignments_user_id_fkey FOREIGN KEY (user_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_member_assignments ADD CONSTRAINT guardrail_member_assignments_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_revisions ADD CONSTRAINT guardrail_revisions_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrail_thresholds ADD CONSTRAINT guardrail_thresholds_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY guardrails ADD CONSTRAINT guardrails_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY invitations ADD CONSTRAINT invitations_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE key_rollups
    ADD CONSTRAINT key_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY key_secrets ADD CONSTRAINT key_secrets_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY key_spend_days ADD CONSTRAINT key_spend_days_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY keys ADD CONSTRAINT keys_creator_user_id_fkey FOREIGN KEY (creator_user_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY keys ADD CONSTRAINT keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY keys ADD CONSTRAINT keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE latency_rollups
    ADD CONSTRAINT latency_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE member_rollups
    ADD CONSTRAINT member_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY members ADD CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY models ADD CONSTRAINT models_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY notifications ADD CONSTRAINT notifications_firing_id_fkey FOREIGN KEY (firing_id) REFERENCES alert_firings(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY notifications ADD CONSTRAINT notifications_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY notifications ADD CONSTRAINT notifications_webhook_delivery_id_fkey FOREIGN KEY (webhook_delivery_id) REFERENCES webhook_deliveries(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY passkeys ADD CONSTRAINT passkeys_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY policy_tests ADD CONSTRAINT policy_tests_guardrail_id_fkey FOREIGN KEY (guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY preset_labels ADD CONSTRAINT preset_labels_preset_id_version_fkey FOREIGN KEY (preset_id, version) REFERENCES preset_versions(preset_id, version) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE preset_rollups
    ADD CONSTRAINT preset_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY preset_versions ADD CONSTRAINT preset_versions_preset_id_fkey FOREIGN KEY (preset_id) REFERENCES presets(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY presets ADD CONSTRAINT presets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY providers ADD CONSTRAINT providers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY recovery_codes ADD CONSTRAINT recovery_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY rollup_progress ADD CONSTRAINT rollup_progress_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE rule_rollups
    ADD CONSTRAINT rule_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY saved_views ADD CONSTRAINT saved_views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY saved_views ADD CONSTRAINT saved_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY sessions ADD CONSTRAINT sessions_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE subject_latency_rollups
    ADD CONSTRAINT subject_latency_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE subject_rollups
    ADD CONSTRAINT subject_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY tag_placements ADD CONSTRAINT tag_placements_organization_id_tag_set_id_fkey FOREIGN KEY (organization_id, tag_set_id) REFERENCES tag_sets(organization_id, id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tag_rollups
    ADD CONSTRAINT tag_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY tag_sets ADD CONSTRAINT tag_sets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE usage_rollups
    ADD CONSTRAINT usage_rollups_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY webhook_deliveries ADD CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY webhooks ADD CONSTRAINT webhooks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY workspaces ADD CONSTRAINT workspaces_default_guardrail_id_fkey FOREIGN KEY (default_guardrail_id) REFERENCES guardrails(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY workspaces ADD CONSTRAINT workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON UPDATE CASCADE ON DELETE CASCADE;
