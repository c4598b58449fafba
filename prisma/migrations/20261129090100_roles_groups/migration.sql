-- CreateEnum
CREATE TYPE "group_source" AS ENUM ('manual', 'scim');

-- AlterTable
ALTER TABLE "keys" ADD COLUMN     "custom_role_id" UUID,
ADD COLUMN     "role" "role";

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "custom_role_id" UUID,
ADD COLUMN     "deactivated_at" TIMESTAMPTZ(3),
ADD COLUMN     "external_id" TEXT;

-- CreateTable
CREATE TABLE "custom_roles" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "custom_roles_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "groups" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source" "group_source" NOT NULL DEFAULT 'manual',
    "external_id" TEXT,
    "claim_value" TEXT,
    "role" "role",
    "custom_role_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "group_id" UUID NOT NULL,
    "member_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("group_id","member_id")
);

-- CreateTable
CREATE TABLE "workspace_roles" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "member_id" TEXT,
    "group_id" UUID,
    "key_id" UUID,
    "role" "role",
    "custom_role_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_roles_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "custom_roles_organization_id_name_key" ON "custom_roles"("organization_id", "name");

-- CreateIndex
CREATE INDEX "groups_organization_id_claim_value_idx" ON "groups"("organization_id", "claim_value");

-- CreateIndex
CREATE UNIQUE INDEX "groups_organization_id_name_key" ON "groups"("organization_id", "name");

-- CreateIndex
CREATE INDEX "group_members_member_id_idx" ON "group_members"("member_id");

-- CreateIndex
CREATE INDEX "workspace_roles_member_id_idx" ON "workspace_roles"("member_id");

-- CreateIndex
CREATE INDEX "workspace_roles_group_id_idx" ON "workspace_roles"("group_id");

-- CreateIndex
CREATE INDEX "workspace_roles_key_id_idx" ON "workspace_roles"("key_id");

-- CreateIndex
CREATE INDEX "workspace_roles_organization_id_idx" ON "workspace_roles"("organization_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_roles_workspace_id_member_id_key" ON "workspace_roles"("workspace_id", "member_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_roles_workspace_id_group_id_key" ON "workspace_roles"("workspace_id", "group_id");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_roles_workspace_id_key_id_key" ON "workspace_roles"("workspace_id", "key_id");

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_roles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "custom_roles" ADD CONSTRAINT "custom_roles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_roles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_roles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keys" ADD CONSTRAINT "keys_custom_role_id_fkey" FOREIGN KEY ("custom_role_id") REFERENCES "custom_roles"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A workspace role belongs to exactly one subject.
ALTER TABLE "workspace_roles" ADD CONSTRAINT "workspace_roles_one_subject" CHECK (num_nonnulls("member_id", "group_id", "key_id") = 1);

-- What a caller may do is cached with the caller.
CREATE TRIGGER note_insert AFTER INSERT ON custom_roles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_update AFTER UPDATE ON custom_roles REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_delete AFTER DELETE ON custom_roles REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON groups REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_update AFTER UPDATE ON groups REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_delete AFTER DELETE ON groups REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_insert AFTER INSERT ON group_members REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN groups ON groups.id = changed.group_id');
CREATE TRIGGER note_update AFTER UPDATE ON group_members REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed JOIN groups ON groups.id = changed.group_id');
CREATE TRIGGER note_delete AFTER DELETE ON group_members REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed JOIN groups ON groups.id = changed.group_id');
CREATE TRIGGER note_insert AFTER INSERT ON workspace_roles REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
CREATE TRIGGER note_update AFTER UPDATE ON workspace_roles REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('(SELECT * FROM changed EXCEPT SELECT * FROM before) AS changed');
CREATE TRIGGER note_delete AFTER DELETE ON workspace_roles REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_policy_change('changed');
