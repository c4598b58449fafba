import { Secret, TOTP } from "otpauth";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import {
  bulkAssignKeys,
  bulkAssignMembers,
  bulkUnassignKeys,
  bulkUnassignMembers,
  undoAssignments,
} from "../../lib/records/guardrails/assignments-contract";
import { createAlert, deleteAlert, testAlert, updateAlert } from "../../lib/features/alerts/contract";
import {
  createExportDestination,
  deleteExportDestination,
  testExportDestination,
  updateExportDestination,
} from "../../lib/features/exports/contract";
import { createException, endException } from "../../lib/records/exceptions/contract";
import { updateGuardrailThresholds } from "../../lib/records/budgets/thresholds-contract";
import { createGuardrail, deleteGuardrail, updateGuardrail } from "../../lib/records/guardrails/contract";
import { restoreGuardrailVersion } from "../../lib/records/guardrails/versions-contract";
import { deleteGenerationContent, getGenerationContent } from "../../lib/features/content-access/contract";
import { deleteGenerationContents } from "../../lib/features/content-access/removal-contract";
import { createResponse } from "../../lib/gateway/contract";
import { sendFromPlayground } from "../../lib/gateway/playground-contract";
import { createKey, deleteKey, rotateKey, updateKey } from "../../lib/records/keys/contract";
import { bulkSetKeyLimits } from "../../lib/records/keys/limits-contract";
import { bulkTagKeys } from "../../lib/records/keys/tags-contract";
import {
  createWorkloadIdentity,
  deleteWorkloadIdentity,
  updateWorkloadIdentity,
} from "../../lib/records/workload-identities/contract";
import {
  createMember,
  deleteMember,
  endMemberSessions,
  resetMemberPassword,
  resetSecondFactor,
  updateMember,
} from "../../lib/records/members/contract";
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMembers,
  updateGroup,
} from "../../lib/records/groups/contract";
import { createRole, deleteRole, updateRole } from "../../lib/records/roles/contract";
import { handOverMember } from "../../lib/records/members/hand-over-contract";
import { createModel, deleteModel, updateModel } from "../../lib/records/models/contract";
import { dismissVendorCorrections } from "../../lib/records/models/lookup-contract";
import { operations } from "../../lib/server/operations";
import { getOrganization, updateOrganization } from "../../lib/records/organization/contract";
import {
  createPresetFromChatCompletions,
  createPresetFromMessages,
  createPresetFromResponses,
  updatePreset,
} from "../../lib/records/presets/contract";
import { deletePresetLabel, setPresetLabel } from "../../lib/records/presets/labels-contract";
import { createProvider, deleteProvider, updateProvider } from "../../lib/records/providers/contract";
import { importModels } from "../../lib/records/providers/import-contract";
import * as scim from "../../lib/records/scim/contract";
import { createScimToken, deleteScimToken } from "../../lib/records/scim-tokens/contract";
import { createLimit, deleteLimit, updateLimit } from "../../lib/records/limits/contract";
import { createSavedView, deleteSavedView, updateSavedView } from "../../lib/records/saved-views/contract";
import {
  changePassword,
  deleteAccountSession,
  deleteOrganizationSession,
  deleteOtherAccountSessions,
  listAccountSessions,
  updateAccount,
} from "../../lib/records/session/account-contract";
import {
  confirmTotp,
  createPasskey,
  createPasskeyOptions,
  createRecoveryCodes,
  deletePasskey,
  deleteTotp,
  reauthenticate,
  startTotp,
} from "../../lib/records/session/factors-contract";
import {
  createSignInConnection,
  deleteMemberIdentity,
  deleteSignInConnection,
  readSamlMetadata,
  testSignInConnection,
  updateSignInConnection,
  updateSignInSettings,
} from "../../lib/records/sign-in-connections/contract";
import {
  createWebhook,
  deleteWebhook,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from "../../lib/records/webhooks/contract";
import { createWorkspace, deleteWorkspace, updateWorkspace } from "../../lib/records/workspaces/contract";
import { Authenticator } from "../../lib/testing/authenticator";
import { everyNth } from "../../lib/testing/random";
import type { Api, SendOptions } from "../api-client";
import { expect, test } from "../fixtures";
import {
  createPolicyTest,
  deletePolicyTest,
  updatePolicyTest,
  updatePolicyTests,
} from "../../lib/features/policy-tests/contract";
import { createUpstream, createWorld, unique, type World } from "../world";
import { connected, createToken, provisioned, tokenIn, withIdentity, type Scene } from "./audit-scenes";

const PASSWORD = "correct horse battery";
const BASE_URL = "https://api.acme.example/v1";

/** Sends one change of every kind and returns its response. */
type Change = (scene: Scene) => Promise<Response>;

const person = (world: World) => world.member({ password: PASSWORD });
const newRole = async (api: Api) =>
  (await api.call(createRole, { body: { name: unique("R"), permissions: ["keys:read"] } })).data.id;
const newGroup = async (api: Api) => (await api.call(createGroup, { body: { name: unique("G") } })).data.id;
const webhook = async (api: Api) =>
  (await api.call(createWebhook, { body: { url: "http://127.0.0.1:9/hook", events: ["blocks.spike"] } })).data;
const alertRule = async (api: Api) => {
  const webhook_ids = [(await webhook(api)).id];
  const body = { name: unique("A"), kind: "error_rate" as const, threshold: 5, webhook_ids };
  return (await api.call(createAlert, { body })).data;
};
const destination = (api: Api) =>
  api.send(createExportDestination, {
    body: { name: unique("E"), kind: "otlp", enabled: false, otlp: { url: "http://127.0.0.1:9/v1/traces" } },
  });
const destinationId = async (api: Api) => ((await (await destination(api)).json()) as { data: { id: string } }).data.id;
const preset = (api: Api, slug: string) =>
  api.call(createPresetFromResponses, { params: { slug }, body: { model: "sandbox/echo" } });

async function assigned({ api, world }: Scene) {
  const [guardrail, key, member] = await Promise.all([world.guardrail(), world.inferenceKey(), world.member()]);
  const params = { id: guardrail.id };
  const [keys, members] = [
    { params, body: { key_hashes: [key.hash] } },
    { params, body: { member_user_ids: [member.id] } },
  ];
  return {
    assignKeys: () => api.send(bulkAssignKeys, keys),
    assignMembers: () => api.send(bulkAssignMembers, members),
    keys,
    members,
  };
}

async function identified({ api, world }: Scene) {
  const { hash } = await world.inferenceKey();
  const body = { name: "CI", issuer: "https://ci.example", audience: "signalbox", claims: { sub: "main" } };
  const created = await api.send(createWorkloadIdentity, { params: { hash }, body });
  const { data } = (await created.clone().json()) as { data: { id: string } };
  return { created, params: { hash, id: data.id } };
}

const limitBody = () => ({
  name: unique("L"),
  subject_type: "end_user" as const,
  metric: "requests" as const,
  amount: 1_000_000,
  reset_interval: "minutely" as const,
});
const limitId = async ({ api }: Scene) => (await api.call(createLimit, { body: limitBody() })).data.id;

async function excepted({ api, world }: Scene) {
  const body = {
    kind: "allow_phrase" as const,
    key_hash: (await world.inferenceKey()).hash,
    phrase: "x",
    reason: "Test",
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  };
  return () => api.send(createException, { body });
}

async function tested({ api, world }: Scene) {
  const { id } = await world.guardrail();
  const body = {
    name: unique("T"),
    request: { model: "sandbox/echo", input: "hi" },
    expected: { outcome: "allowed" as const },
  };
  return {
    params: { id },
    body,
    create: async () => ({ id, test_id: (await api.call(createPolicyTest, { params: { id }, body })).data.id }),
  };
}

async function signedIn({ world, signIn }: Scene): Promise<SendOptions> {
  return signIn((await person(world)).email);
}

const CHANGES: Readonly<Record<string, Change>> = {
  [createGuardrail.id]: ({ api, world }) =>
    api.send(createGuardrail, { body: { name: unique("G"), workspace_id: world.workspaceId } }),
  [updateGuardrail.id]: async ({ api, world }) =>
    api.send(updateGuardrail, { params: { id: (await world.guardrail()).id }, body: { limit_usd: 5 } }),
  [deleteGuardrail.id]: async ({ api, world }) =>
    api.send(deleteGuardrail, { params: { id: (await world.guardrail()).id } }),
  [restoreGuardrailVersion.id]: async ({ api, world }) => {
    const { id } = await world.guardrail();
    await api.call(updateGuardrail, { params: { id }, body: { limit_usd: 5 } });
    return api.send(restoreGuardrailVersion, { params: { id, n: "1" }, body: {} });
  },
  [bulkAssignKeys.id]: async (scene) => (await assigned(scene)).assignKeys(),
  [bulkAssignMembers.id]: async (scene) => (await assigned(scene)).assignMembers(),
  [bulkUnassignKeys.id]: async (scene) => {
    const { assignKeys, keys } = await assigned(scene);
    await assignKeys();
    return scene.api.send(bulkUnassignKeys, keys);
  },
  [bulkUnassignMembers.id]: async (scene) => {
    const { assignMembers, members } = await assigned(scene);
    await assignMembers();
    return scene.api.send(bulkUnassignMembers, members);
  },
  [undoAssignments.id]: async (scene) => {
    const { keys } = await assigned(scene);
    const { change_id } = await scene.api.call(bulkAssignKeys, keys);
    return scene.api.send(undoAssignments, { body: { change_id: change_id ?? "" } });
  },
  [createException.id]: async (scene) => (await excepted(scene))(),
  [endException.id]: async (scene) => {
    const { data } = createException.result.parse(await (await (await excepted(scene))()).json());
    return scene.api.send(endException, { params: { id: data.id } });
  },
  [createPolicyTest.id]: async (scene) => {
    const { params, body } = await tested(scene);
    return scene.api.send(createPolicyTest, { params, body });
  },
  [updatePolicyTest.id]: async (scene) =>
    scene.api.send(updatePolicyTest, { params: await (await tested(scene)).create(), body: { name: "Renamed" } }),
  [deletePolicyTest.id]: async (scene) =>
    scene.api.send(deletePolicyTest, { params: await (await tested(scene)).create() }),
  [updatePolicyTests.id]: async ({ api, world }) =>
    api.send(updatePolicyTests, { params: { id: (await world.guardrail()).id }, body: { tests_required: true } }),
  [deleteGenerationContent.id]: async ({ api, world }) => {
    const { text } = await world.inferenceKey();
    const answer = await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: text });
    const id = answer.headers.get("x-generation-id") ?? "";
    await expect.poll(async () => (await api.send(getGenerationContent, { query: { id } })).status).toBe(200);
    return api.send(deleteGenerationContent, { query: { id } });
  },
  [deleteGenerationContents.id]: async ({ api, world }) => {
    const { text, hash } = await world.inferenceKey();
    await (
      await api.send(createResponse, { body: { model: "sandbox/echo", input: "Hello" } }, { as: text })
    ).arrayBuffer();
    return api.send(deleteGenerationContents, { query: { key_hash: hash } });
  },
  [createKey.id]: ({ api, world }) =>
    api.send(createKey, { body: { name: unique("K"), workspace_id: world.workspaceId } }),
  [updateKey.id]: async ({ api, world }) =>
    api.send(updateKey, { params: { hash: (await world.inferenceKey()).hash }, body: { disabled: true } }),
  [bulkSetKeyLimits.id]: async ({ api, world }) =>
    api.send(bulkSetKeyLimits, {
      body: { keys: [{ key_hash: (await world.inferenceKey()).hash, limit: 5, limit_reset: null }] },
    }),
  [bulkTagKeys.id]: async ({ api, world }) =>
    api.send(bulkTagKeys, { body: { key_hashes: [(await world.inferenceKey()).hash], add: ["audited"] } }),
  [createLimit.id]: ({ api }) => api.send(createLimit, { body: limitBody() }),
  [updateLimit.id]: async (scene) =>
    scene.api.send(updateLimit, { params: { id: await limitId(scene) }, body: { enabled: false } }),
  [deleteLimit.id]: async (scene) => scene.api.send(deleteLimit, { params: { id: await limitId(scene) } }),
  [createWorkloadIdentity.id]: async (scene) => (await identified(scene)).created,
  [updateWorkloadIdentity.id]: async (scene) =>
    scene.api.send(updateWorkloadIdentity, {
      params: (await identified(scene)).params,
      body: { lifetime_seconds: 60 },
    }),
  [deleteWorkloadIdentity.id]: async (scene) =>
    scene.api.send(deleteWorkloadIdentity, { params: (await identified(scene)).params }),
  [createSignInConnection.id]: async (scene) => (await connected(scene)).created,
  [updateSignInConnection.id]: async (scene) =>
    scene.api.send(updateSignInConnection, {
      params: (await connected(scene)).params,
      body: { max_session_hours: 8 },
    }),
  [deleteSignInConnection.id]: async (scene) =>
    scene.api.send(deleteSignInConnection, { params: (await connected(scene)).params }),
  [testSignInConnection.id]: async (scene) =>
    scene.api.send(testSignInConnection, { params: (await connected(scene)).params }),
  [updateSignInSettings.id]: ({ api }) => api.send(updateSignInSettings, { body: { password_sign_in: "allowed" } }),
  [deleteMemberIdentity.id]: async (scene) =>
    scene.api.send(deleteMemberIdentity, { params: await withIdentity(scene) }),
  [rotateKey.id]: async ({ api, world }) =>
    api.send(rotateKey, { params: { hash: (await world.inferenceKey()).hash }, body: {} }),
  [deleteKey.id]: async ({ api, world }) =>
    api.send(deleteKey, { params: { hash: (await world.inferenceKey()).hash } }),
  [sendFromPlayground.id]: async ({ api, world, signIn }) => {
    const { id, email } = await person(world);
    const { data } = await api.call(createKey, {
      body: { name: unique("K"), workspace_id: world.workspaceId, creator_user_id: id },
    });
    const request = { model: "sandbox/echo", messages: [{ role: "user" as const, content: "Hello" }] };
    return api.send(sendFromPlayground, { body: { key_hash: data.hash, request } }, await signIn(email));
  },
  [createMember.id]: ({ api }) =>
    api.send(createMember, { body: { email: `${unique("m")}@example.com`, role: "org:member" } }),
  [updateMember.id]: async ({ api, world }) =>
    api.send(updateMember, { params: { user_id: (await world.member()).id }, body: { first_name: "Grace" } }),
  [createRole.id]: ({ api }) => api.send(createRole, { body: { name: unique("R"), permissions: ["keys:read"] } }),
  [updateRole.id]: async ({ api }) =>
    api.send(updateRole, { params: { id: await newRole(api) }, body: { permissions: [] } }),
  [deleteRole.id]: async ({ api }) => api.send(deleteRole, { params: { id: await newRole(api) } }),
  [createGroup.id]: ({ api }) => api.send(createGroup, { body: { name: unique("G") } }),
  [updateGroup.id]: async ({ api }) =>
    api.send(updateGroup, { params: { id: await newGroup(api) }, body: { role: "org:billing" } }),
  [deleteGroup.id]: async ({ api }) => api.send(deleteGroup, { params: { id: await newGroup(api) } }),
  [addGroupMembers.id]: async ({ api, world }) =>
    api.send(addGroupMembers, {
      params: { id: await newGroup(api) },
      body: { user_ids: [(await world.member()).id] },
    }),
  [removeGroupMembers.id]: async ({ api, world }) => {
    const [params, body] = [{ id: await newGroup(api) }, { user_ids: [(await world.member()).id] }];
    await api.call(addGroupMembers, { params, body });
    return api.send(removeGroupMembers, { params, body });
  },
  [deleteMember.id]: async ({ api, world }) =>
    api.send(deleteMember, { params: { user_id: (await world.member()).id } }),
  [resetMemberPassword.id]: async ({ api, world }) =>
    api.send(resetMemberPassword, { params: { user_id: (await person(world)).id } }),
  [endMemberSessions.id]: async ({ api, world, signIn }) => {
    const { id, email } = await person(world);
    await signIn(email);
    return api.send(endMemberSessions, { params: { user_id: id } });
  },
  [handOverMember.id]: async ({ api, world }) => {
    const [from, to] = [await world.member(), await world.member()];
    return api.send(handOverMember, { params: { user_id: from.id }, body: { to_user_id: to.id } });
  },
  [createScimToken.id]: ({ api }) => createToken(api),
  [deleteScimToken.id]: async ({ api }) =>
    api.send(deleteScimToken, { params: { id: (await tokenIn(await createToken(api))).data.id } }),
  [scim.createUser.id]: async (scene) => {
    const { as } = await provisioned(scene);
    return scene.api.send(scim.createUser, { body: { userName: `${unique("scim")}@example.com` } }, as);
  },
  [scim.replaceUser.id]: async (scene) => {
    const { as, user, body } = await provisioned(scene);
    return scene.api.send(scim.replaceUser, { ...user, body: { ...body, externalId: "1" } }, as);
  },
  [scim.patchUser.id]: async (scene) => {
    const { as, user } = await provisioned(scene);
    const body = { Operations: [{ op: "replace", path: "active", value: false }] };
    return scene.api.send(scim.patchUser, { ...user, body }, as);
  },
  [scim.deleteUser.id]: async (scene) => {
    const { as, user } = await provisioned(scene);
    return scene.api.send(scim.deleteUser, user, as);
  },
  [scim.createGroup.id]: async (scene) => {
    const { as } = await provisioned(scene);
    return scene.api.send(scim.createGroup, { body: { displayName: unique("group") } }, as);
  },
  [scim.replaceGroup.id]: async (scene) => {
    const { as, group } = await provisioned(scene);
    return scene.api.send(scim.replaceGroup, { ...group, body: { displayName: unique("group") } }, as);
  },
  [scim.patchGroup.id]: async (scene) => {
    const { as, user, group } = await provisioned(scene);
    const body = { Operations: [{ op: "add", path: "members", value: [{ value: user.params.id }] }] };
    return scene.api.send(scim.patchGroup, { ...group, body }, as);
  },
  [scim.deleteGroup.id]: async (scene) => {
    const { as, group } = await provisioned(scene);
    return scene.api.send(scim.deleteGroup, group, as);
  },
  [createWorkspace.id]: ({ api }) => api.send(createWorkspace, { body: { name: unique("W") } }),
  [updateWorkspace.id]: ({ api, world }) =>
    api.send(updateWorkspace, { params: { id: world.workspaceId }, body: { description: "Lab" } }),
  [deleteWorkspace.id]: async ({ api }) =>
    api.send(deleteWorkspace, { params: { id: (await createWorld(api)).workspaceId } }),
  [createProvider.id]: ({ api }) =>
    api.send(createProvider, { body: { slug: unique("p"), name: "P", base_url: BASE_URL } }),
  [updateProvider.id]: async ({ api }) =>
    api.send(updateProvider, { params: { slug: (await createUpstream(api, BASE_URL)).provider }, body: { zdr: true } }),
  [deleteProvider.id]: async ({ api }) =>
    api.send(deleteProvider, { params: { slug: (await createUpstream(api, BASE_URL)).provider } }),
  [importModels.id]: async ({ api }) =>
    api.send(importModels, {
      params: { slug: (await createUpstream(api, BASE_URL)).provider },
      body: { source: "catalogue", catalogue_provider: "anthropic", models: ["claude-haiku-4-5"] },
    }),
  [createModel.id]: async ({ api }) => {
    const { provider } = await createUpstream(api, BASE_URL);
    return api.send(createModel, {
      body: { slug: unique("m"), endpoints: [{ provider, price: { prompt: "1", completion: "2" } }] },
    });
  },
  [updateModel.id]: async ({ api }) =>
    api.send(updateModel, { params: { slug: (await createUpstream(api, BASE_URL)).model }, body: { name: "Large" } }),
  [dismissVendorCorrections.id]: ({ api }) => api.send(dismissVendorCorrections, {}),
  [deleteModel.id]: async ({ api }) =>
    api.send(deleteModel, { params: { slug: (await createUpstream(api, BASE_URL)).model } }),
  [createPresetFromResponses.id]: ({ api }) =>
    api.send(createPresetFromResponses, { params: { slug: unique("p") }, body: { model: "sandbox/echo" } }),
  [createPresetFromChatCompletions.id]: ({ api }) =>
    api.send(createPresetFromChatCompletions, {
      params: { slug: unique("p") },
      body: { model: "sandbox/echo", messages: [{ role: "system", content: "Be brief" }] },
    }),
  [createPresetFromMessages.id]: ({ api }) =>
    api.send(createPresetFromMessages, {
      params: { slug: unique("p") },
      body: { model: "sandbox/echo", system: "Be brief", messages: [{ role: "user", content: "hi" }] },
    }),
  [updatePreset.id]: async ({ api }) => {
    const slug = unique("p");
    await preset(api, slug);
    return api.send(updatePreset, { params: { slug }, body: { description: "For support" } });
  },
  [setPresetLabel.id]: async ({ api }) => {
    const slug = unique("p");
    await preset(api, slug);
    return api.send(setPresetLabel, { params: { slug, label: "prod" }, body: { version: 1 } });
  },
  [deletePresetLabel.id]: async ({ api }) => {
    const params = { slug: unique("p"), label: "prod" };
    await preset(api, params.slug);
    await api.call(setPresetLabel, { params, body: { version: 1 } });
    return api.send(deletePresetLabel, { params });
  },
  [updateGuardrailThresholds.id]: async ({ api, world }) =>
    api.send(updateGuardrailThresholds, { params: { id: (await world.guardrail()).id }, body: { percents: [90] } }),
  [createWebhook.id]: ({ api }) =>
    api.send(createWebhook, { body: { url: "http://127.0.0.1:9/hook", events: ["blocks.spike"] } }),
  [updateWebhook.id]: async ({ api }) =>
    api.send(updateWebhook, { params: { id: (await webhook(api)).id }, body: { enabled: false } }),
  [deleteWebhook.id]: async ({ api }) => api.send(deleteWebhook, { params: { id: (await webhook(api)).id } }),
  [rotateWebhookSecret.id]: async ({ api }) =>
    api.send(rotateWebhookSecret, { params: { id: (await webhook(api)).id }, body: {} }),
  [redeliverWebhook.id]: async ({ api }) => {
    const { id } = await webhook(api);
    const { data } = await api.call(testWebhook, { params: { id } });
    return api.send(redeliverWebhook, { params: { id, delivery_id: data.id } });
  },
  [createAlert.id]: ({ api }) =>
    api.send(createAlert, { body: { name: unique("A"), kind: "block_spike", threshold: 10 } }),
  [updateAlert.id]: async ({ api }) =>
    api.send(updateAlert, { params: { id: (await alertRule(api)).id }, body: { threshold: 10 } }),
  [deleteAlert.id]: async ({ api }) => api.send(deleteAlert, { params: { id: (await alertRule(api)).id } }),
  [testAlert.id]: async ({ api }) => api.send(testAlert, { params: { id: (await alertRule(api)).id } }),
  [createExportDestination.id]: ({ api }) => destination(api),
  [updateExportDestination.id]: async ({ api }) =>
    api.send(updateExportDestination, { params: { id: await destinationId(api) }, body: { content: "masked" } }),
  [deleteExportDestination.id]: async ({ api }) =>
    api.send(deleteExportDestination, { params: { id: await destinationId(api) } }),
  [testExportDestination.id]: async ({ api }) =>
    api.send(testExportDestination, { params: { id: await destinationId(api) } }),
  [createSavedView.id]: async (scene) =>
    scene.api.send(
      createSavedView,
      { body: { page: "generations", name: unique("V"), query: "" } },
      await signedIn(scene),
    ),
  [updateSavedView.id]: async (scene) => {
    const member = await signedIn(scene);
    const { data } = await scene.api.call(
      createSavedView,
      { body: { page: "generations", name: unique("V"), query: "" } },
      member,
    );
    return scene.api.send(updateSavedView, { params: { id: data.id }, body: { name: unique("V") } }, member);
  },
  [deleteSavedView.id]: async (scene) => {
    const member = await signedIn(scene);
    const { data } = await scene.api.call(
      createSavedView,
      { body: { page: "generations", name: unique("V"), query: "" } },
      member,
    );
    return scene.api.send(deleteSavedView, { params: { id: data.id } }, member);
  },
  [updateOrganization.id]: async ({ api }) =>
    api.send(updateOrganization, { body: { name: (await api.call(getOrganization)).data.name } }),
  [updateAccount.id]: async (scene) =>
    scene.api.send(updateAccount, { body: { first_name: "Grace" } }, await signedIn(scene)),
  [changePassword.id]: async (scene) =>
    scene.api.send(
      changePassword,
      { body: { current_password: PASSWORD, new_password: "staple battery" } },
      await signedIn(scene),
    ),
  [confirmTotp.id]: async (scene) => (await protectedBy(scene)).confirmed,
  [deleteTotp.id]: async (scene) => scene.api.send(deleteTotp, {}, (await protectedBy(scene)).member),
  [createRecoveryCodes.id]: async (scene) => scene.api.send(createRecoveryCodes, {}, (await protectedBy(scene)).member),
  [createPasskey.id]: async (scene) => (await withPasskey(scene)).created,
  [deletePasskey.id]: async (scene) => {
    const { created, member } = await withPasskey(scene);
    const { data } = createPasskey.result.parse(await created.json());
    return scene.api.send(deletePasskey, { params: { id: data.id } }, member);
  },
  [reauthenticate.id]: async (scene) =>
    scene.api.send(reauthenticate, { body: { password: PASSWORD } }, await signedIn(scene)),
  [resetSecondFactor.id]: async ({ api, world }) =>
    api.send(resetSecondFactor, { params: { user_id: (await person(world)).id } }),
  [deleteOtherAccountSessions.id]: async (scene) =>
    scene.api.send(deleteOtherAccountSessions, {}, await signedIn(scene)),
  [deleteAccountSession.id]: async (scene) =>
    endOwn(scene, (id, member) => scene.api.send(deleteAccountSession, { params: { id } }, member)),
  [deleteOrganizationSession.id]: async (scene) =>
    endOwn(scene, (id) => scene.api.send(deleteOrganizationSession, { params: { id } })),
};

async function protectedBy(scene: Scene): Promise<{ confirmed: Response; member: SendOptions }> {
  const member = await signedIn(scene);
  const { secret } = (await scene.api.call(startTotp, {}, member)).data;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  return { confirmed: await scene.api.send(confirmTotp, { body: { code } }, member), member };
}

async function withPasskey(scene: Scene): Promise<{ created: Response; member: SendOptions }> {
  const signedInMember = await signedIn(scene);
  // The server takes its origin from the Host header.
  const { data } = await scene.api.call(createPasskeyOptions, {}, signedInMember);
  const credential = new Authenticator(scene.api.url).create(data);
  const body = { name: "Test", credential };
  return { created: await scene.api.send(createPasskey, { body }, signedInMember), member: signedInMember };
}

async function endOwn(scene: Scene, end: (id: string, member: SendOptions) => Promise<Response>): Promise<Response> {
  const { email } = await person(scene.world);
  const member = await scene.signIn(email);
  await scene.signIn(email);
  const { data } = await scene.api.call(listAccountSessions, {}, member);
  return end(data.find(({ is_current }) => !is_current)?.id ?? "", member);
}

/** Operations without side effects, whatever their method. */
const READINGS = [
  "checkPolicy",
  "testProvider",
  "testNewProvider",
  "lintGuardrail",
  "replayGuardrail",
  "runPolicyTests",
  testWebhook.id,
  readSamlMetadata.id,
  "createPasskeyOptions",
  "createReauthenticationOptions",
  "startTotp",
];

test("the table covers every operation with side effects", () => {
  const changing = operations
    .filter(({ method, access }) => method !== "GET" && access !== "inference" && access !== "public")
    .map(({ id }) => id);
  expect(changing.filter((id) => !READINGS.includes(id)).sort()).toEqual(Object.keys(CHANGES).sort());
});

for (const [id, change] of everyNth(3, Object.entries(CHANGES))) {
  test(`${id} is in the audit log`, async ({ api, world, serverUrl }) => {
    const from = new Date().toISOString();
    const signIn = async (email: string): Promise<SendOptions> => {
      const answer = await fetch(`${serverUrl}/session`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: serverUrl },
        body: JSON.stringify({ email, password: PASSWORD }),
      });
      expect(answer.status).toBe(200);
      return {
        as: null,
        headers: { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "", origin: serverUrl },
      };
    };
    const answer = await change({ api, world, signIn });
    expect(answer.status, await answer.clone().text()).toBeLessThan(300);
    const requestId = answer.headers.get("x-request-id");
    const { data } = await api.call(listAuditEvents, { query: { from, limit: "100" } });
    expect(data.map(({ request_id }) => request_id)).toContain(requestId);
  });
}
