import "server-only";
import type { MemberIdentity as IdentityRow, SignInConnection as Row } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import type { Env } from "../../platform/env";
import { addressesOf } from "./addresses";
import { ClaimNames, type MemberIdentity, type SignInConnection } from "./contract";
import { describeCertificate } from "./saml-certificate";

export const claimNamesIn = ({ claimNames }: Pick<Row, "claimNames">): ClaimNames => ClaimNames.parse(claimNames);

function toDetails(certificate: string) {
  const facts = describeCertificate(certificate);
  if (!facts) return [];
  const { subject, sha256, validFrom, validTo } = facts;
  return [{ subject, sha256, valid_from: validFrom.toISOString(), valid_to: validTo.toISOString() }];
}

const samlIn = (row: Row) => ({
  entity_id: row.idpEntityId,
  sso_url: row.ssoUrl,
  slo_url: row.sloUrl,
  certificates: row.certificates,
  service_certificate: row.spCertificate ?? "",
});

/** Returns scheme and host of the addresses with which SAML messages are compared: as configured, or where the connection was created or last saved while it was off. */
export const ownOrigin = ({ publicUrl }: Pick<Env, "publicUrl">, { origin }: Pick<Row, "origin">): string | null =>
  publicUrl ?? origin;

const toFields = (row: Row): Omit<SignInConnection, "addresses"> => ({
  id: row.id,
  name: row.name,
  protocol: row.protocol,
  enabled: row.enabled,
  domains: row.domains,
  oidc:
    row.protocol === "oidc"
      ? {
          issuer: row.issuer,
          client_id: row.clientId,
          scopes: row.scopes,
          has_client_secret: row.clientSecretCiphertext !== null,
        }
      : null,
  saml: row.protocol === "saml" ? { ...samlIn(row), certificate_details: row.certificates.flatMap(toDetails) } : null,
  claims: claimNamesIn(row),
  creates_members: row.createsMembers,
  default_role: `org:${row.defaultRole}` as SignInConnection["default_role"],
  trust_email: row.trustEmail,
  manages_names: row.managesNames,
  max_session_hours: row.maxSessionHours,
  tested_at: row.testedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt?.toISOString() ?? null,
});

/** Converts a row to an API object. */
export function toSignInConnection(
  row: Row,
  { settings, origin }: Pick<Context, "settings" | "origin">,
): SignInConnection {
  const own = row.protocol === "saml" ? ownOrigin(settings, row) : null;
  return { ...toFields(row), addresses: addressesOf(own ?? origin, row.id, row.protocol) };
}

/** Converts a row to its form in the audit log. */
export function toAudited(row: Row) {
  const { tested_at: _, updated_at: __, ...rest } = toFields(row);
  return { ...rest, saml: rest.saml && samlIn(row) };
}

export const toIdentity = (row: IdentityRow & { connection: Pick<Row, "name"> }): MemberIdentity => ({
  connection_id: row.connectionId,
  connection_name: row.connection.name,
  subject: row.subject,
  email: row.email,
  created_at: row.createdAt.toISOString(),
  last_sign_in_at: row.lastSignInAt.toISOString(),
});
