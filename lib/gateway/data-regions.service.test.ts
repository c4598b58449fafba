import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { exportPolicy } from "../features/policy-file/export-service";
import * as guardrails from "../features/guardrails/service";
import { ReplayBody } from "../features/replay/contract";
import { replay } from "../features/replay/service";
import { storableJson } from "../platform/database/storable-json";
import type { Context } from "../platform/context";
import * as generations from "../records/generations/service";
import { assignKeys } from "../records/guardrails/assignment-changes-service";
import { current } from "../records/keys/current-service";
import { DATA_REGIONS, type DataRegion } from "../engine/vocabulary";
import * as models from "../records/models/service";
import { createKey, keyCaller } from "../testing/factories";
import { createProvider } from "../testing/providers";
import { testWorld, type World } from "../testing/test-context";
import { startUpstream } from "../testing/upstream";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { loadSnapshots } from "./record/catalogue-snapshots-store";
import * as inference from "./service";

const MODEL = "acme/one";
let upstream: Awaited<ReturnType<typeof startUpstream>>;
let world: World;
let context: Context;
let ofKey: string;
let byDefault: string;

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }];
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "one", choices }));
  });
});
afterAll(() => upstream.stop());

/** A model at one provider in Europe and one without a region; a default guardrail, and one of the key. */
beforeEach(async () => {
  world = await testWorld();
  const { db } = world.context;
  for (const slug of ["anywhere", "frankfurt"]) await createProvider(world, { slug, baseUrl: upstream.baseUrl });
  const price = { prompt: "1", completion: "1" };
  await models.create(world.context, {
    params: {},
    query: {},
    body: {
      slug: MODEL,
      endpoints: [
        { provider: "anywhere", price },
        { provider: "frankfurt", price, data_region: "europe" },
      ],
    },
  });
  const key = await createKey(world);
  const create = async (name: string) =>
    (await guardrails.create(world.context, { params: {}, query: {}, body: { name } })).data.id;
  [byDefault, ofKey] = [await create("House"), await create("Team")];
  await db.workspace.update({ where: { id: world.workspaceId }, data: { defaultGuardrailId: byDefault } });
  await assignKeys(world.context, {
    params: { id: ofKey },
    query: { dry_run: "false" },
    body: { key_hashes: [key.hash] },
  });
  const settings = { ...world.context.settings, allowPrivateUpstreams: true };
  context = { ...world.context, settings, caller: keyCaller(world, key.id) };
});

const allow = (id: string, allowed_data_regions: DataRegion[] | null) =>
  guardrails.update(world.context, { params: { id }, query: {}, body: { allowed_data_regions } });

async function send() {
  const at = { ...context, headers: new Headers() };
  const body = ChatCompletionsBody.parse({ model: MODEL, messages: [{ role: "user", content: "Hello" }] });
  const error = await inference.createChatCompletion(at, { params: {}, query: {}, body }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const id = at.headers.get("x-generation-id") ?? "";
  const { data } = await generations.get(world.context, { params: {}, query: { id }, body: undefined });
  return { error, data };
}

const regionsOfKey = async () => (await current(context)).data.allowed_data_regions;

it("routes to endpoints whose region every layer allows, and records it", async () => {
  expect(await regionsOfKey()).toEqual(DATA_REGIONS);
  await allow(byDefault, ["europe", "us"]);
  await allow(ofKey, ["global", "europe"]);
  expect(await regionsOfKey()).toEqual(["europe"]);
  const { error, data } = await send();
  expect(error).toBeNull();
  expect(data).toMatchObject({
    provider: "frankfurt",
    data_region: "europe",
    attempts: [{ provider: "frankfurt", data_region: "europe" }],
    decisions: [
      {
        scope: "workspace",
        guardrail_id: byDefault,
        field: "allowed_data_regions",
        rule: "acme/one by anywhere",
        action: "exclude",
      },
    ],
  });
  await allow(byDefault, null);
  await allow(ofKey, ["global"]);
  expect((await send()).data).toMatchObject({ provider: "anywhere", data_region: "global" });
});

it("denies a request without an endpoint in an allowed region, and says why", async () => {
  await allow(ofKey, ["us"]);
  const { error, data } = await send();
  expect(error).toMatchObject({
    status: 404,
    message: `No endpoints found for ${MODEL}: excluded by allowed_data_regions of the guardrail "Team" (key)`,
  });
  expect(data).toMatchObject({ status: "blocked", provider: null, data_region: "global" });
  expect(data.decisions.map(({ field, rule }) => [field, rule])).toEqual([
    ["allowed_data_regions", "acme/one by anywhere"],
    ["allowed_data_regions", "acme/one by frankfurt"],
  ]);
});

it("counts endpoints of records from before regions as global", async () => {
  const { db } = world.context;
  const { organizationId } = world;
  await send();
  const [snapshot] = await db.catalogueSnapshot.findMany({ where: { organizationId } });
  const endpoints = (snapshot?.endpoints ?? []) as { dataRegion?: string }[];
  expect(endpoints.map(({ dataRegion }) => dataRegion).sort()).toEqual(["europe", "global"]);
  const before = storableJson(endpoints.map(({ dataRegion: _, ...rest }) => rest));
  const hash = snapshot?.hash ?? "";
  await db.$executeRaw`UPDATE catalogue_snapshots SET endpoints = ${before}::jsonb WHERE hash = ${hash}`;
  const loaded = await loadSnapshots(db, organizationId, [hash]);
  expect(loaded.get(hash)?.map(({ dataRegion }) => dataRegion)).toEqual(["global", "global"]);
  const replayed = async (...allowed_data_regions: DataRegion[]) => {
    const body = ReplayBody.parse({ guardrail: { allowed_data_regions } });
    return replay(world.context, { params: {}, query: {}, body });
  };
  expect(await replayed("global")).toMatchObject({ data: { evaluated: 1, unchanged: 1 } });
  expect(await replayed("europe")).toMatchObject({ data: { evaluated: 1, no_endpoint: 1 } });
});

it("is part of the exported policy, without the default", async () => {
  await allow(ofKey, ["europe"]);
  const { data } = (await exportPolicy(context, { params: {}, query: {}, body: undefined })) as {
    data: { models: { endpoints: object[] }[]; workspaces: { guardrails: object[] }[] };
  };
  expect(data.models[0]?.endpoints.map((endpoint) => "data_region" in endpoint && endpoint.data_region)).toEqual([
    false,
    "europe",
  ]);
  expect(data.workspaces[0]?.guardrails).toEqual([
    { name: "House" },
    { name: "Team", allowed_data_regions: ["europe"] },
  ]);
});
