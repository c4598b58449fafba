-- CreateTable
CREATE TABLE "policy_changes" (
    "organization_id" UUID NOT NULL,
    "changed_in" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_changes_pkey" PRIMARY KEY ("organization_id", "changed_in")
);

-- CreateIndex
CREATE INDEX "policy_changes_changed_in_idx" ON "policy_changes"("changed_in");

-- Notes the organizations of changed rows in the writer's own transaction, and notifies every process when it commits.
-- A row per transaction, and not a counter per organization: transactions that change one organization don't wait for each
-- other, so that no order of locks can make them deadlock.
-- The argument is a FROM clause over the changed rows, with the column `organization_id`. Rows of a deleted parent are
-- missed by a join, and noted by the trigger of the parent.
CREATE FUNCTION note_policy_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  organization uuid;
BEGIN
  FOR organization IN EXECUTE 'SELECT DISTINCT organization_id FROM ' || TG_ARGV[0] LOOP
    INSERT INTO policy_changes (organization_id) VALUES (organization) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('policy_changes', organization::text);
  END LOOP;
  RETURN NULL;
END $$;

-- An update that changes nothing is ignored, and so is the time at which a session was last seen.
DO $$
DECLARE
  source record;
  updated text;
BEGIN
  FOR source IN SELECT * FROM (VALUES
    ('keys', NULL),
    ('key_secrets', 'JOIN keys ON keys.id = changed.key_id'),
    ('workspaces', NULL),
    ('guardrails', 'JOIN workspaces ON workspaces.id = changed.workspace_id'),
    ('guardrail_key_assignments', NULL),
    ('guardrail_member_assignments', NULL),
    ('exceptions', NULL),
    ('providers', NULL),
    ('models', NULL),
    ('endpoints', 'JOIN models ON models.id = changed.model_id'),
    ('presets', 'JOIN workspaces ON workspaces.id = changed.workspace_id'),
    ('preset_versions', 'JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id'),
    ('preset_labels', 'JOIN presets ON presets.id = changed.preset_id JOIN workspaces ON workspaces.id = presets.workspace_id'),
    ('members', NULL),
    ('sessions', 'JOIN members ON members.id = changed.member_id')
  ) AS sources (name, path) LOOP
    updated := CASE source.name
      WHEN 'sessions' THEN
        '(SELECT fields->>''member_id'' AS member_id FROM (SELECT to_jsonb(changed) - ''last_seen_at'' AS fields FROM changed'
        ' EXCEPT SELECT to_jsonb(before) - ''last_seen_at'' FROM before) AS differing)'
      ELSE '(SELECT * FROM changed EXCEPT SELECT * FROM before)'
    END;
    EXECUTE format(
      'CREATE TRIGGER note_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change(%L)',
      source.name, concat_ws(' ', 'changed', source.path));
    EXECUTE format(
      'CREATE TRIGGER note_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change(%L)',
      source.name, concat_ws(' ', 'changed', source.path));
    EXECUTE format(
      'CREATE TRIGGER note_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS before NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change(%L)',
      source.name, concat_ws(' ', updated || ' AS changed', source.path));
  END LOOP;
END $$;
