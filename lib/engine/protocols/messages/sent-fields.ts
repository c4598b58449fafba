import type { Endpoint } from "../../endpoint";
import { modelMaxOutput } from "../../model-limits";
import { asObject, asText } from "../../../platform/json-values";
import type { Draft } from "../field-rules";
import { hashedUser } from "../upstream-fields";
import { rejectsSampling, SAMPLING } from "./models";
import { thinkingFields } from "./thinking";

type Target = Pick<Endpoint, "upstreamModel" | "model" | "supportedParameters">;

/** True for sampling parameters that the endpoint's model is known to reject; they aren't sent. */
export const isRejected = (name: string, { upstreamModel, supportedParameters }: Target): boolean =>
  supportedParameters === null && SAMPLING.has(name) && rejectsSampling(upstreamModel);

/** Completes the draft of a converted request for the endpoint's model. */
export function messagesFields(draft: Draft, endpoint: Target): Draft {
  const { reasoning, reasoning_effort, verbosity, user, safety_identifier, max_tokens, output_config, ...rest } = draft;
  const { upstreamModel, model } = endpoint;
  const limit = typeof max_tokens === "number" ? max_tokens : modelMaxOutput(upstreamModel, model);
  const { thinking, effort = asText(verbosity) } = thinkingFields(
    { reasoning, reasoning_effort },
    limit,
    upstreamModel,
  );
  const config = { ...asObject(output_config), ...(effort !== null && { effort }) };
  const userId = asText(safety_identifier) ?? asText(user);
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !isRejected(name, endpoint))),
    max_tokens: limit,
    ...(thinking && { thinking }),
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(userId !== null && { metadata: { user_id: hashedUser(userId) } }),
  };
}
