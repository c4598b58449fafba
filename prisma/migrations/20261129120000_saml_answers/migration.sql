-- CreateTable
CREATE TABLE "saml_answers" (
    "hash" TEXT NOT NULL,
    "connection_id" UUID NOT NULL,
    "answer" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_answers_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "saml_answers_expires_at_idx" ON "saml_answers"("expires_at");

-- CreateIndex
CREATE INDEX "saml_answers_connection_id_idx" ON "saml_answers"("connection_id");

-- AddForeignKey
ALTER TABLE "saml_answers" ADD CONSTRAINT "saml_answers_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "sign_in_connections"("id") ON DELETE CASCADE ON UPDATE CASCADE;
