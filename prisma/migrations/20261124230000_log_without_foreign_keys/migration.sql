-- Each record looked four rows up and locked them. Organizations, keys and members are never deleted as rows. The statement that records
-- generations locks their workspaces, once for all that it records, and what deletes a workspace deletes its generations before.
ALTER TABLE "generations"
  DROP CONSTRAINT "generations_organization_id_fkey",
  DROP CONSTRAINT "generations_workspace_id_fkey",
  DROP CONSTRAINT "generations_key_id_fkey",
  DROP CONSTRAINT "generations_user_id_fkey";
