import { expect, it } from "vitest";
import type { Context } from "../../platform/context";
import { createMember, memberCaller } from "../../testing/factories";
import { testWorld } from "../../testing/test-context";
import { grantsOf } from "../../records/roles/grants";
import { CreateExportBody, type UpdateExportBody } from "./contract";
import * as exports from "./service";

const otlp = { url: "https://collector.example/v1/traces" };

it("an export of contents requires the permission to read them", async () => {
  const world = await testWorld();
  const grants = grantsOf([{ role: null, permissions: ["organization:write"], workspace: null }]);
  const limited = { ...world.context, caller: memberCaller(world, await createMember(world), { grants }) };
  const create = (context: Context, content: "none" | "masked") => {
    const body = CreateExportBody.parse({ name: "Collector", kind: "otlp", otlp, content });
    return exports.create(context, { params: {}, query: {}, body }).then(({ data }) => data);
  };
  const update = (context: Context, id: string, body: UpdateExportBody) =>
    exports.update(context, { params: { id }, query: {}, body });
  const refusal = { status: 403, metadata: { permission: "contents:read" } };
  await expect(create(limited, "masked")).rejects.toMatchObject(refusal);
  const empty = await create(limited, "none");
  await expect(update(limited, empty.id, { content: "full" })).rejects.toMatchObject(refusal);
  const { id } = await create(world.context, "masked");
  await expect(update(limited, id, { otlp })).rejects.toMatchObject(refusal);
  expect((await update(limited, id, { content: "none", otlp })).data.content).toBe("none");
});
