import * as newest from "@openrouter/sdk";
import * as newestErrors from "@openrouter/sdk/models/errors";
import * as oldest from "openrouter-sdk-1.0.0";
import * as oldestErrors from "openrouter-sdk-1.0.0/models/errors";
import { createResponse } from "../../lib/gateway/contract";
import { expect, test } from "../fixtures";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";

type Client = Pick<newest.OpenRouter, "guardrails" | "presets" | "generations">;
type ErrorClasses = Record<
  "BadRequestResponseError" | "UnauthorizedResponseError" | "ForbiddenResponseError" | "NotFoundResponseError",
  new (...given: never[]) => Error
>;

interface ClientVersion {
  name: string;
  create: (options: newest.SDKOptions) => Client;
  errors: ErrorClasses;
  /** True if the client knows newer fields: `include_byok_in_budgets`, a generation's stored error. */
  readsLaterFields: boolean;
}

/** Both clients have all fifteen operations. */
const clients: readonly ClientVersion[] = [
  {
    name: "@openrouter/sdk 1.3.19",
    create: (options) => new newest.OpenRouter(options),
    errors: newestErrors,
    readsLaterFields: true,
  },
  {
    name: "@openrouter/sdk 1.0.0",
    create: ({ apiKey, serverURL }) => new oldest.OpenRouter({ apiKey, serverURL }) as unknown as Client,
    errors: oldestErrors,
    readsLaterFields: false,
  },
];

/** Returns all records of all pages with the client's iterator. */
async function everyRecord<T>(pages: AsyncIterable<{ result: { data: T[] } }>): Promise<T[]> {
  const records: T[] = [];
  for await (const { result } of pages) records.push(...result.data);
  return records;
}

for (const { name, create, errors, readsLaterFields } of clients) {
  test.describe(name, () => {
    const connect = (serverUrl: string, apiKey = MANAGEMENT_KEY) => create({ apiKey, serverURL: `${serverUrl}/v1` });

    test("guardrails: create, get, update, list page by page, delete", async ({ serverUrl, world }) => {
      const { guardrails } = connect(serverUrl);
      const { workspaceId } = world;
      const { data: created } = await guardrails.create({
        createGuardrailRequest: {
          name: "Production",
          workspaceId,
          allowedProviders: ["openai", "anthropic"],
          limitUsd: 100,
          resetInterval: "monthly",
          enforceZdrAnthropic: true,
          contentFilterBuiltins: [{ slug: "email", action: "redact" }],
          contentFilters: [{ pattern: "PROJ-[0-9]{4}", label: "[TICKET]", action: "redact" }],
        },
      });
      expect(created).toMatchObject({ name: "Production", workspaceId, limitUsd: 100, enforceZdrAnthropic: true });
      if (readsLaterFields) expect(created.includeByokInBudgets).toBe(false);
      expect((await guardrails.get({ id: created.id })).data).toEqual(created);
      const { data: updated } = await guardrails.update({
        id: created.id,
        updateGuardrailRequest: { limitUsd: 50, contentFilters: null },
      });
      expect(updated).toMatchObject({ limitUsd: 50, contentFilters: null, allowedProviders: ["openai", "anthropic"] });
      for (let index = 0; index < 4; index++) await world.guardrail();
      const listed = await everyRecord(await guardrails.list({ workspaceId, limit: 2 }));
      expect(listed).toHaveLength(5);
      expect(listed.at(-1)?.id).toBe(created.id);
      expect((await guardrails.list()).result.totalCount).toBeGreaterThanOrEqual(0);
      expect(await guardrails.delete({ id: created.id })).toEqual({ deleted: true });
      await expect(guardrails.get({ id: created.id })).rejects.toThrow(errors.NotFoundResponseError);
    });

    test("key assignments: assign, list by guardrail and for all, unassign", async ({ serverUrl, world }) => {
      const { guardrails } = connect(serverUrl);
      const [{ id }, ...keys] = await Promise.all([
        world.guardrail(),
        world.inferenceKey(),
        world.inferenceKey(),
        world.inferenceKey(),
      ]);
      const keyHashes = keys.map(({ hash }) => hash);
      expect(await guardrails.bulkAssignKeys({ id, bulkAssignKeysRequest: { keyHashes } })).toEqual({
        assignedCount: 3,
      });
      const assigned = await everyRecord(await guardrails.listGuardrailKeyAssignments({ id, limit: 2 }));
      expect(assigned.map(({ keyHash }) => keyHash).sort()).toEqual([...keyHashes].sort());
      const all = await everyRecord(await guardrails.listKeyAssignments({ limit: 100 }));
      expect(all.map(({ keyHash }) => keyHash)).toEqual(expect.arrayContaining(keyHashes));
      expect(await guardrails.bulkUnassignKeys({ id, bulkUnassignKeysRequest: { keyHashes } })).toEqual({
        unassignedCount: 3,
      });
    });

    test("member assignments: assign, list by guardrail and for all, unassign", async ({ serverUrl, world }) => {
      const { guardrails } = connect(serverUrl);
      const [{ id }, ...members] = await Promise.all([world.guardrail(), world.member(), world.member()]);
      const memberUserIds = members.map((member) => member.id);
      expect(await guardrails.bulkAssignMembers({ id, bulkAssignMembersRequest: { memberUserIds } })).toEqual({
        assignedCount: 2,
      });
      const assigned = await everyRecord(await guardrails.listGuardrailMemberAssignments({ id }));
      expect(assigned.map(({ userId }) => userId).sort()).toEqual([...memberUserIds].sort());
      const all = await everyRecord(await guardrails.listMemberAssignments({ limit: 100 }));
      expect(all.map(({ userId }) => userId)).toEqual(expect.arrayContaining(memberUserIds));
      expect(await guardrails.bulkUnassignMembers({ id, bulkUnassignMembersRequest: { memberUserIds } })).toEqual({
        unassignedCount: 2,
      });
    });

    test("presets: two versions from Responses bodies", async ({ serverUrl }) => {
      const { presets } = connect(serverUrl);
      const slug = unique("official");
      const post = (temperature: number) =>
        presets.createPresetsResponses({
          slug,
          responsesRequest: {
            model: "sandbox/echo",
            instructions: "Be brief.",
            temperature,
            input: "not kept",
            stream: true,
          },
        });
      const { data: first } = await post(0.2);
      expect(first).toMatchObject({
        slug,
        name: slug,
        status: "active",
        designatedVersion: { version: 1, systemPrompt: "Be brief." },
      });
      const { data: second } = await post(0.7);
      expect(second).toMatchObject({
        id: first.id,
        designatedVersion: { version: 2, config: { model: "sandbox/echo", temperature: 0.7 } },
      });
      for (const ignored of ["input", "stream", "instructions"])
        expect(second.designatedVersion?.config).not.toHaveProperty(ignored);
    });

    test("generation content: of a success, and of a failure with its error", async ({ serverUrl, api, world }) => {
      const { generations } = connect(serverUrl);
      const { text } = await world.inferenceKey();
      const generate = async (model: string) => {
        const answer = await api.send(createResponse, { body: { model, input: "Say hello" } }, { as: text });
        await answer.arrayBuffer();
        return answer.headers.get("x-generation-id") ?? "";
      };
      const { data } = await generations.listGenerationContent({ id: await generate("sandbox/echo") });
      expect(data).toMatchObject({ output: { completion: expect.stringContaining("Say hello") } });
      expect(JSON.stringify(data.input)).toContain("Say hello");
      if (readsLaterFields) expect(data.error).toBeNull();
      const failed = await generations.listGenerationContent({ id: await generate("sandbox/unavailable") });
      const error = { status: 502, providerName: "Sandbox", previousErrors: expect.any(Array) };
      if (readsLaterFields) expect(failed.data.error).toMatchObject(error);
    });

    test("errors are mapped to the client's error classes, with code and message", async ({ serverUrl, world }) => {
      const { guardrails, presets } = connect(serverUrl);
      await expect(guardrails.create({ createGuardrailRequest: { name: "" } })).rejects.toThrow(
        errors.BadRequestResponseError,
      );
      await expect(presets.createPresetsResponses({ slug: "Not A Slug", responsesRequest: {} })).rejects.toThrow(
        errors.BadRequestResponseError,
      );
      const stranger = connect(serverUrl, "0123456789abcdef0123456789abcdef");
      await expect(stranger.guardrails.list()).rejects.toThrow(errors.UnauthorizedResponseError);
      const { text } = await world.inferenceKey();
      const refused = connect(serverUrl, text).guardrails.create({ createGuardrailRequest: { name: "x" } });
      await expect(refused).rejects.toThrow(errors.ForbiddenResponseError);
      await expect(refused).rejects.toMatchObject({
        statusCode: 403,
        error: { code: 403, message: "Only management keys can perform this operation" },
      });
    });
  });
}
