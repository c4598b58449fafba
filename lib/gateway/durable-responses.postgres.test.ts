import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { EventStream } from "../platform/http/event-stream";
import { inTransaction } from "../platform/database/transaction";
import { createSandbox } from "../server/bootstrap";
import { createKey, keyCaller } from "../testing/factories";
import { NOW, testWorld } from "../testing/test-context";
import { ChatCompletionsBody } from "../engine/protocols/contracts/chat-request-contract";
import { createChatCompletion } from "./service";

it.each([false, true])("an answer doesn't end before its record is written, streamed %s", async (stream) => {
  const world = await testWorld();
  const { db } = world.context;
  await createSandbox(db, world.organizationId, NOW);
  const caller = keyCaller(world, (await createKey(world)).id);
  const body = ChatCompletionsBody.parse({
    model: "sandbox/echo",
    messages: [{ role: "user", content: "hello" }],
    stream,
  });
  const ask = async () => {
    const answer = await createChatCompletion({ ...world.context, caller }, { params: {}, query: {}, body });
    let text = "";
    if (answer instanceof EventStream) for await (const part of answer.content) text += part;
    return text;
  };
  await ask();
  let isEnded = false;
  const { asking } = await inTransaction(db, async (transaction) => {
    await transaction.$executeRaw`SELECT FROM workspaces WHERE id = ${world.workspaceId}::uuid FOR UPDATE`;
    const waiting = ask().finally(() => (isEnded = true));
    await sleep(300);
    expect(isEnded).toBe(false);
    return { asking: waiting };
  });
  await asking;
  expect(await db.generation.count({ where: { organizationId: world.organizationId } })).toBe(2);
});
