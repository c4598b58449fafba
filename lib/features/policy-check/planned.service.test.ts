import { expect, it } from "vitest";
import { createSandbox } from "../../server/bootstrap";
import { NOW, testWorld } from "../../testing/test-context";
import { CheckPolicyBody, type PlannedState } from "./contract";
import { check } from "./service";

const PROVIDER = {
  slug: "acme",
  protocol: "chat_completions",
  zdr: false,
  trains: false,
  ownership: "platform",
} as const;
const endpoint = (provider: string) => ({ provider, upstream_model: "large", price: { prompt: "1", completion: "2" } });
const ZDR = { enforce_zdr: true };

async function checking() {
  const { context, organizationId } = await testWorld();
  await createSandbox(context.db, organizationId, NOW);
  return async (model: string, guardrail: object, planned?: PlannedState) => {
    const body = CheckPolicyBody.parse({
      request: { model, input: "hi" },
      guardrails: [guardrail],
      drafts_only: true,
      planned,
    });
    const { data } = await check(context, { params: {}, query: {}, body });
    return [data.outcome, ...data.candidates.map(({ provider, included }) => `${provider} ${included}`)];
  };
}

it("evaluates a request with planned providers and models, in place of stored ones", async () => {
  const outcomeOf = await checking();
  expect(await outcomeOf("acme/large", {})).toEqual(["no_endpoint"]);
  const models = [{ slug: "acme/large", endpoints: [endpoint("acme")] }];
  expect(await outcomeOf("acme/large", {}, { providers: [PROVIDER], models })).toEqual(["allowed", "acme true"]);
  expect(await outcomeOf("acme/large", ZDR, { providers: [PROVIDER], models })).toEqual(["no_endpoint", "acme false"]);
  const kept = { providers: [{ ...PROVIDER, zdr: true }], models };
  expect(await outcomeOf("acme/large", ZDR, kept)).toEqual(["allowed", "acme true"]);
  expect(await outcomeOf("sandbox/echo", {})).toEqual(["allowed", "sandbox true"]);
  const moved = { providers: [PROVIDER], models: [{ slug: "sandbox/echo", endpoints: [endpoint("acme")] }] };
  expect(await outcomeOf("sandbox/echo", {}, moved)).toEqual(["allowed", "acme true"]);
  expect(await outcomeOf("sandbox/echo", {}), "nothing is stored").toEqual(["allowed", "sandbox true"]);
});
