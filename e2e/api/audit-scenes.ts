import pg from "pg";
import * as scim from "../../lib/records/scim/contract";
import { createScimToken, deleteScimToken, listScimTokens } from "../../lib/records/scim-tokens/contract";
import { createSignInConnection } from "../../lib/records/sign-in-connections/contract";
import type { Api, SendOptions } from "../api-client";
import { SERVER_VARIABLES } from "../global-setup";
import { unique, type World } from "../world";

/** What changes that are audited are made with. */
export interface Scene {
  api: Api;
  world: World;
  /** Cookie of a signed-in member. */
  signIn: (email: string) => Promise<SendOptions>;
}

/** Creates a token of a directory, in place of the oldest if there are already as many as allowed. */
export async function createToken(api: Api): Promise<Response> {
  for (;;) {
    const answer = await api.send(createScimToken, { body: { name: unique("directory") } });
    if (answer.status !== 409) return answer;
    const oldest = (await api.call(listScimTokens)).data.at(-1);
    if (oldest) await api.send(deleteScimToken, { params: { id: oldest.id } });
  }
}

export const tokenIn = async (answer: Response) => createScimToken.result.parse(await answer.json());

/** A directory with a member and a group. */
export async function provisioned({ api }: Scene) {
  const { token } = await tokenIn(await createToken(api));
  const as = { as: token };
  const body = { userName: `${unique("scim")}@example.com` };
  const user = await api.call(scim.createUser, { body }, as);
  const group = await api.call(scim.createGroup, { body: { displayName: unique("group") } }, as);
  return { as, body, user: { params: { id: user.id } }, group: { params: { id: group.id } } };
}

export async function connected({ api }: Scene) {
  const oidc = { issuer: "https://idp.example", client_id: "signalbox" };
  const body = { name: unique("IdP"), protocol: "oidc" as const, domains: [`${unique("d")}.example`], oidc };
  const created = await api.send(createSignInConnection, { body });
  const { data } = (await created.clone().json()) as { data: { id: string } };
  return { created, params: { id: data.id } };
}

/** A member who has signed in with a connection, which takes a provider. */
export async function withIdentity(scene: Scene) {
  const [{ id: user_id }, { params }] = [await scene.world.member(), await connected(scene)];
  const db = new pg.Client({ connectionString: process.env[SERVER_VARIABLES.postgresDatabase] });
  await db.connect();
  await db.query(
    "INSERT INTO member_identities (connection_id, subject, member_id, last_sign_in_at) VALUES ($1, 'ada', $2, now())",
    [params.id, user_id],
  );
  await db.end();
  return { user_id, connection_id: params.id };
}
