import "server-only";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import { conflict, fieldConflict, invalid, notFound, type Issue } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import type { Env } from "../../platform/env";
import { inspected, type Inspect } from "../../platform/http/inspected";
import { prepared } from "../../platform/http/prepared";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import { asObject } from "../../platform/json-values";
import { urlProblem } from "../../platform/outbound/blocked-address";
import { keepingOwner } from "../members/store";
import { toRoleColumns } from "../roles/rows";
import type * as contract from "./contract";
import { claimNamesIn, ownOrigin, toAudited, toSignInConnection } from "./rows";
import { changesProvider, changesTested, claimNamesOf } from "./rules";
import { acceptedCertificate, certificateProblem } from "./saml-certificate";
import { generateKeyPair } from "./saml-key-pair";
import { sealSecret } from "./secret-rows";
import { DEFAULT_SCOPES, MOST_CERTIFICATES, MOST_CONNECTIONS, type Protocol } from "./vocabulary";
import { lockOrganization } from "../organization/lock-store";

function certificateIssues(certificate: unknown, index: number): Issue[] {
  const message = typeof certificate === "string" ? certificateProblem(certificate) : null;
  return message === null ? [] : [{ path: ["saml", "certificates", index], message, code: "custom" }];
}

/** Settings are those of the given protocol, and an issuer must be an address that this installation may call. */
const inspect: Inspect = ({ protocol, oidc, saml }, { allowPrivateUpstreams }) => {
  const issues: Issue[] = [];
  for (const [name, given] of Object.entries({ oidc, saml }))
    if (protocol !== undefined && protocol !== name && given !== undefined)
      issues.push({ path: [name], message: "isn't for this protocol", code: "custom" });
  const issuer = asObject(oidc)?.["issuer"];
  const problem = typeof issuer === "string" && URL.canParse(issuer) ? urlProblem(issuer, allowPrivateUpstreams) : null;
  if (problem !== null) issues.push({ path: ["oidc", "issuer"], message: problem, code: "custom" });
  const certificates = asObject(saml)?.["certificates"];
  if (Array.isArray(certificates)) issues.push(...certificates.slice(0, MOST_CERTIFICATES).flatMap(certificateIssues));
  return issues;
};

/** Finds a connection of the caller's organization. */
export async function findConnection(db: Database, { caller }: Context, id: string): Promise<Row> {
  const row = await db.signInConnection.findFirst({ where: { id, organizationId: caller.organizationId } });
  if (!row) throw notFound();
  return row;
}

export const targetOf = ({ id, name }: Pick<Row, "id" | "name">) => ({ type: "sign_in_connection", id, name });

export async function list(context: Context): Promise<Result<typeof contract.listSignInConnections>> {
  const { db, caller } = context;
  const where = { organizationId: caller.organizationId };
  const rows = await db.signInConnection.findMany({ where, orderBy: { createdAt: "asc" } });
  return { data: rows.map((row) => toSignInConnection(row, context)) };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getSignInConnection>,
): Promise<Result<typeof contract.getSignInConnection>> {
  return { data: toSignInConnection(await findConnection(context.db, context, params.id), context) };
}

type Owner = Pick<Row, "id" | "organizationId">;

/** Converts the settings of a protocol to columns; missing fields stay missing. */
function protocolColumns(
  settings: Env,
  owner: Owner,
  { oidc, saml }: Pick<contract.UpdateSignInConnectionBody, "oidc" | "saml">,
) {
  const secret = oidc?.client_secret;
  return {
    issuer: oidc?.issuer,
    clientId: oidc?.client_id,
    scopes: oidc?.scopes,
    ...(secret !== undefined && {
      clientSecretCiphertext: secret === null ? null : sealSecret("clientSecret", settings, owner, secret),
    }),
    idpEntityId: saml?.entity_id,
    ssoUrl: saml?.sso_url,
    sloUrl: saml?.slo_url,
    certificates: saml?.certificates?.map(acceptedCertificate),
  };
}

/** Converts the fields of both protocols to columns; missing fields stay missing. */
const commonColumns = (body: contract.UpdateSignInConnectionBody) => ({
  name: body.name,
  domains: body.domains,
  createsMembers: body.creates_members,
  defaultRole: body.default_role && toRoleColumns(body.default_role).role,
  trustEmail: body.trust_email,
  managesNames: body.manages_names,
  maxSessionHours: body.max_session_hours,
});

const claimColumn = (protocol: Protocol, given: object, before?: Row) =>
  claimNamesOf(protocol, given, before && claimNamesIn(before));

async function assertFreeName(db: Database, { id, organizationId }: Owner, name: string | undefined): Promise<void> {
  if (name !== undefined && (await db.signInConnection.count({ where: { organizationId, name, id: { not: id } } })) > 0)
    throw fieldConflict("name", "is the name of another connection");
}

/** A SAML connection has a key of its own. */
const newKeys = async ({ now }: Context, { body }: Input<typeof contract.createSignInConnection>) => ({
  keys: body.protocol === "saml" ? await generateKeyPair("Signalbox", now) : null,
});

export const create = inspected(
  inspect,
  prepared(newKeys, async (context, { body }, { keys }): Promise<Result<typeof contract.createSignInConnection>> => {
    const { now, settings, origin } = context;
    const owner = { id: uuidv7(now), organizationId: context.caller.organizationId };
    return inTransaction(context.db, async (db) => {
      await lockOrganization(db, owner.organizationId);
      const { organizationId } = owner;
      if ((await db.signInConnection.count({ where: { organizationId } })) >= MOST_CONNECTIONS)
        throw conflict(`An organization can have at most ${MOST_CONNECTIONS} connections. Delete one first`);
      await assertFreeName(db, owner, body.name);
      const row = await db.signInConnection.create({
        data: {
          ...owner,
          ...commonColumns(body),
          ...protocolColumns(settings, owner, body),
          ...(keys && {
            spCertificate: keys.certificate,
            spKeyCiphertext: sealSecret("spKey", settings, owner, keys.privateKey),
          }),
          name: body.name,
          protocol: body.protocol,
          origin,
          scopes: body.oidc?.scopes ?? [...DEFAULT_SCOPES],
          claimNames: claimColumn(body.protocol, body.claims),
          createdAt: now,
        },
      });
      await recordChange(db, context, {
        action: "sign_in_connection.create",
        target: targetOf(row),
        after: toAudited(row),
      });
      return { data: toSignInConnection(row, context) };
    });
  }),
);

export const update = inspected(
  inspect,
  async (
    context: Context,
    { params, body }: Input<typeof contract.updateSignInConnection>,
  ): Promise<Result<typeof contract.updateSignInConnection>> => {
    const { now, settings, origin } = context;
    return inTransaction(context.db, async (db) => {
      await lockOrganization(db, context.caller.organizationId);
      const before = await findConnection(db, context, params.id);
      await assertFreeName(db, before, body.name);
      assertProtocol(before, body);
      const columns = protocolColumns(settings, before, body);
      const claims = body.claims && { claimNames: claimColumn(before.protocol, body.claims, before) };
      const isOther = changesProvider(before, columns);
      if (isOther && before.enabled)
        throw conflict("Turn the connection off before you change its issuer or entity ID", { reason: "enabled" });
      // A connection that is off moves to the address where it is saved.
      const home = before.enabled ? (before.origin ?? origin) : origin;
      const needsTest = changesTested(before, { ...columns, ...claims }) || movesAway(settings, before, home);
      if (body.enabled === true && !before.enabled && (needsTest || before.testedAt === null))
        throw conflict("Test the connection's current settings before you turn it on", { reason: "test_required" });
      if (body.enabled === false && before.enabled) await assertNotNeeded(db, before);
      const data = {
        ...commonColumns(body),
        ...columns,
        ...claims,
        enabled: body.enabled,
        origin: home,
        ...(needsTest && { testedAt: null }),
        updatedAt: now,
      };
      const where = { id: before.id };
      const row = await keepingOwner(db, context, () => db.signInConnection.update({ where, data }));
      // Subjects of another provider are other people.
      if (isOther) await db.memberIdentity.deleteMany({ where: { connectionId: row.id } });
      if (isOther || !row.enabled) await db.session.deleteMany({ where: { connectionId: row.id } });
      await claimDomains(db, row);
      await recordChange(db, context, {
        action: "sign_in_connection.update",
        target: targetOf(row),
        before: toAudited(before),
        after: {
          ...toAudited(row),
          ...(body.oidc?.client_secret !== undefined && { client_secret: "changed" }),
        },
      });
      return { data: toSignInConnection(row, context) };
    });
  },
);

/** True if the provider must be given other addresses. Those of OpenID Connect are where a sign-in begins. */
const movesAway = (settings: Env, before: Row, origin: string): boolean =>
  before.protocol === "saml" && !before.enabled && ownOrigin(settings, before) !== ownOrigin(settings, { origin });

function assertProtocol({ protocol }: Row, body: contract.UpdateSignInConnectionBody): void {
  const other = protocol === "oidc" ? "saml" : "oidc";
  if (body[other] !== undefined) throw invalid([{ path: [other], message: "isn't for this protocol", code: "custom" }]);
}

/** Without another connection, members couldn't sign in while passwords are off. */
async function assertNotNeeded(db: Database, { id, organizationId }: Row): Promise<void> {
  const { passwordSignIn } = await db.organization.findUniqueOrThrow({ where: { id: organizationId } });
  if (passwordSignIn === "allowed") return;
  if ((await db.signInConnection.count({ where: { organizationId, enabled: true, id: { not: id } } })) === 0)
    throw conflict("Allow sign-in by password first: members sign in only with this connection", {
      reason: "passwords_off",
    });
}

/** Assigns the domains of an enabled connection, which no other one may have. */
async function claimDomains(db: Database, { id, enabled, domains }: Row): Promise<void> {
  await db.signInDomain.deleteMany({ where: { connectionId: id } });
  if (!enabled) return;
  const taken = await db.signInDomain.findMany({ where: { domain: { in: domains } } });
  if (taken.length > 0)
    throw fieldConflict("domains", `Another enabled connection has ${taken.map(({ domain }) => domain).join(", ")}`);
  await db.signInDomain.createMany({ data: domains.map((domain) => ({ domain, connectionId: id })) });
}

export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteSignInConnection>,
): Promise<Result<typeof contract.deleteSignInConnection>> {
  return inTransaction(context.db, async (db) => {
    await lockOrganization(db, context.caller.organizationId);
    const before = await findConnection(db, context, params.id);
    if (before.enabled) await assertNotNeeded(db, before);
    await db.session.deleteMany({ where: { connectionId: before.id } });
    await keepingOwner(db, context, () => db.signInConnection.delete({ where: { id: before.id } }));
    await recordChange(db, context, {
      action: "sign_in_connection.delete",
      target: targetOf(before),
      before: toAudited(before),
    });
    return { deleted: true as const };
  });
}
