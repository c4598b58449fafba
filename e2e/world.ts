import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { createGuardrail, type CreateGuardrailBody, type Guardrail } from "../lib/records/guardrails/contract";
import { createKey, type CreateKeyBody, type Key } from "../lib/records/keys/contract";
import { createMember, type CreateMemberBody, type Member } from "../lib/records/members/contract";
import { createModel } from "../lib/records/models/contract";
import { createProvider, type CreateProviderBody } from "../lib/records/providers/contract";
import { createWorkspace, type CreateWorkspaceBody } from "../lib/records/workspaces/contract";
import type { Api } from "./api-client";

/** Returns a unique name, so that parallel tests don't interfere. */
export const unique = (prefix: string): string => `${prefix}-${randomUUID().slice(0, 13)}`;

export interface NewKey extends Key {
  /** The text of the key. */
  text: string;
}

/** Creates a member who accepts the invitation with a new password, and signs out. */
export async function inviteMember(
  api: Api,
  password: string,
  fields: Partial<Omit<CreateMemberBody, "password">> = {},
): Promise<Member> {
  const { data, invite_url = "" } = await api.call(createMember, {
    body: { email: `${unique("person")}@example.com`, role: "org:member", ...fields },
  });
  const answer = await fetch(`${api.url}/session/invitation`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: api.url },
    body: JSON.stringify({ token: invite_url.split("/").at(-1), password }),
  });
  if (!answer.ok) throw new Error(`the invitation was refused: ${await answer.text()}`);
  await answer.body?.cancel();
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  await fetch(`${api.url}/session`, { method: "DELETE", headers: { cookie, origin: api.url } });
  return { ...data, status: "active" };
}

export interface World {
  workspaceId: string;
  /** Creates a guardrail in the workspace. */
  guardrail: (fields?: Partial<CreateGuardrailBody>) => Promise<Guardrail>;
  /** Creates an inference key in the workspace. */
  inferenceKey: (fields?: Partial<z.input<typeof CreateKeyBody>>) => Promise<NewKey>;
  managementKey: () => Promise<NewKey>;
  /** Creates a member. With a password, the member has accepted the invitation with it. */
  member: (fields?: Partial<CreateMemberBody>) => Promise<Member>;
}

export interface Upstream {
  /** Slugs of the provider and its one model. */
  provider: string;
  model: string;
  /** The model's upstream name. */
  upstreamModel: string;
  baseUrl: string;
}

/** Creates a provider with one model for a base URL. Prices are USD per million tokens. */
export async function createUpstream(
  api: Api,
  baseUrl: string,
  price = { prompt: "2", completion: "4" },
  fields: Partial<z.input<typeof CreateProviderBody>> = {},
): Promise<Upstream> {
  const provider = unique("provider");
  const upstreamModel = unique("model");
  const model = `${provider}/${upstreamModel}`;
  await api.call(createProvider, { body: { slug: provider, name: provider, base_url: baseUrl, ...fields } });
  await api.call(createModel, {
    body: { slug: model, endpoints: [{ provider, upstream_model: upstreamModel, price }] },
  });
  return { provider, model, upstreamModel, baseUrl };
}

export async function createWorld(api: Api, fields: Partial<CreateWorkspaceBody> = {}): Promise<World> {
  const { data: workspace } = await api.call(createWorkspace, {
    body: { name: unique("World"), content_logging: true, ...fields },
  });
  const key = async (body: z.input<typeof CreateKeyBody>): Promise<NewKey> => {
    const { data, key: text } = await api.call(createKey, { body });
    return { ...data, text };
  };
  return {
    workspaceId: workspace.id,
    guardrail: async (given = {}) => {
      const { data } = await api.call(createGuardrail, {
        body: { name: unique("Guardrail"), workspace_id: workspace.id, ...given },
      });
      return data;
    },
    inferenceKey: (given = {}) => key({ name: unique("Key"), workspace_id: workspace.id, ...given }),
    managementKey: () => key({ name: unique("Management"), kind: "management" }),
    member: async ({ password, ...given } = {}) => {
      if (password !== undefined) return inviteMember(api, password, given);
      const { data } = await api.call(createMember, {
        body: { email: `${unique("person")}@example.com`, role: "org:member", ...given },
      });
      return data;
    },
  };
}
