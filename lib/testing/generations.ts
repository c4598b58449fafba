import { newGenerationId } from "../platform/ids";
import type { Prisma } from "../../prisma/generated/client";
import { SPEND_COLUMNS, spendCtes, spendRows } from "../records/keys/spend-days-store";
import { parametersOf, rowsFrom } from "../platform/database/columns";
import { runStatement } from "../platform/database/statement";
import { NOW, type World } from "./test-context";

type Overrides = Partial<Prisma.GenerationUncheckedCreateInput> & {
  createdAt?: Date;
  content?: Partial<Prisma.GenerationContentUncheckedCreateInput>;
};

/** Row of a finished generation. */
function rowOf(
  { organizationId, workspaceId, adminId }: World,
  { content, ...overrides }: Overrides,
): Prisma.GenerationUncheckedCreateInput & { id: string } {
  const createdAt = overrides.createdAt ?? NOW;
  return {
    id: newGenerationId(createdAt),
    organizationId,
    workspaceId,
    userId: adminId,
    status: "succeeded",
    apiType: "responses",
    requestedModel: "sandbox/echo",
    model: "sandbox/echo",
    providerSlug: "sandbox",
    streamed: false,
    tokensPrompt: 3,
    tokensCompletion: 5,
    costMicroUsd: 9n,
    attempts: [
      // As stored for the provider and model of the row.
      { provider_name: "Sandbox", status: 200, latency_ms: 1 },
    ],
    requestId: "req-test",
    contentStored: content !== undefined,
    ...overrides,
    createdAt,
  };
}

/** Inserts many finished generations without content or key in one statement; returns their ids. */
export async function createGenerations(
  world: World,
  generations: readonly Omit<Overrides, "content" | "keyId">[],
): Promise<string[]> {
  const rows = generations.map((overrides) => rowOf(world, overrides));
  await world.context.db.generation.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

/** Inserts a finished generation, optionally with content, and its key's spend; returns its id. */
export async function createGeneration(world: World, overrides: Overrides = {}): Promise<string> {
  const { context } = world;
  const { content } = overrides;
  const createdAt = overrides.createdAt ?? NOW;
  const { id, keyId, isByok, costMicroUsd } = await context.db.generation.create({ data: rowOf(world, overrides) });
  const spends = keyId === null ? [] : [{ keyId, at: createdAt, isByok, costMicroUsd }];
  await runStatement(
    context.db,
    { name: "spend", text: `WITH ${spendCtes("many", rowsFrom("many", SPEND_COLUMNS, 1, "given"))} SELECT` },
    parametersOf("many", SPEND_COLUMNS, spendRows(spends)),
  );
  if (content) {
    await context.db.generationContent.create({
      data: {
        createdAt,
        generationId: id,
        input: { messages: [{ role: "user", content: "hi" }] },
        completion: "hello",
        searchText: "hi\nhello",
        ...content,
      },
    });
  }
  return id;
}
