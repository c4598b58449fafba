import * as guardrails from "../features/guardrails/service";
import { assignKeys } from "../records/guardrails/assignment-changes-service";
import type { CreateGuardrailBody } from "../records/guardrails/contract";
import type { World } from "./test-context";

/** Creates a guardrail, assigns it to the key, and returns its id. */
export async function guardKey(
  world: World,
  { hash }: { hash: string },
  fields: Partial<CreateGuardrailBody>,
): Promise<string> {
  const body = { name: "Guard", ...fields };
  const { id } = (await guardrails.create(world.context, { params: {}, query: {}, body })).data;
  await assignKeys(world.context, { params: { id }, query: { dry_run: "false" }, body: { key_hashes: [hash] } });
  return id;
}
