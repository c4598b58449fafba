-- CreateEnum
CREATE TYPE "password_sign_in" AS ENUM ('allowed', 'break_glass_only');

-- CreateEnum
CREATE TYPE "sign_in_protocol" AS ENUM ('oidc', 'saml');

-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "break_glass_member_id" TEXT,
ADD COLUMN     "password_sign_in" "password_sign_in" NOT NULL DEFAULT 'allowed';

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "provider_sign_in_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "connection_id" UUID,
ADD COLUMN     "sign_out_hint" TEXT,
ADD COLUMN     "provider_session" TEXT,
ADD COLUMN     "provider_subject" TEXT;

-- CreateTable
CREATE TABLE "sign_in_connections" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "protocol" "sign_in_protocol" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT false,
    "domains" TEXT[],
    "issuer" TEXT,
    "client_id" TEXT,
    "client_secret_ciphertext" TEXT,
    "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "idp_entity_id" TEXT,
    "sso_url" TEXT,
    "slo_url" TEXT,
    "certificates" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "sp_certificate" TEXT,
    "sp_key_ciphertext" TEXT,
    "claim_names" JSONB NOT NULL,
    "creates_members" BOOLEAN NOT NULL DEFAULT true,
    "default_role" "role" NOT NULL DEFAULT 'member',
    "trust_email" BOOLEAN NOT NULL DEFAULT true,
    "manages_names" BOOLEAN NOT NULL DEFAULT true,
    "max_session_hours" INTEGER,
    "tested_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_connections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_domains" (
    "domain" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,

    CONSTRAINT "sign_in_domains_pkey" PRIMARY KEY ("domain")
);

-- CreateTable
CREATE TABLE "member_identities" (
    "connection_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_sign_in_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "member_identities_pkey" PRIMARY KEY ("connection_id","subject")
);

-- CreateTable
CREATE TABLE "sign_in_tests" (
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "outcome" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "sign_in_tests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_in_connections_organization_id_name_key" ON "sign_in_connections"("organization_id", "name");

-- CreateIndex
CREATE INDEX "sign_in_domains_connection_id_idx" ON "sign_in_domains"("connection_id");

-- CreateIndex
CREATE INDEX "member_identities_member_id_idx" ON "member_identities"("member_id");

-- CreateIndex
CREATE INDEX "sign_in_tests_connection_id_idx" ON "sign_in_tests"("connection_id");

-- CreateIndex
CREATE INDEX "sign_in_tests_created_at_idx" ON "sign_in_tests"("created_at");

-- CreateIndex
CREATE INDEX "sessions_connection_id_provider_subject_idx" ON "sessions"("connection_id", "provider_subject");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sign_in_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_connections" ADD CONSTRAINT "sign_in_connections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_domains" ADD CONSTRAINT "sign_in_domains_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sign_in_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_identities" ADD CONSTRAINT "member_identities_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sign_in_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "member_identities" ADD CONSTRAINT "member_identities_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "members"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_tests" ADD CONSTRAINT "sign_in_tests_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sign_in_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
