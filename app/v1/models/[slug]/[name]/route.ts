import { forAnthropicClients } from "@/lib/server/anthropic-clients";
import { handle } from "@/lib/server/handle";
import { getAnthropicModelByParts } from "@/lib/records/models/anthropic-contract";
import * as anthropic from "@/lib/records/models/anthropic-service";
import { getModelByParts } from "@/lib/records/models/lookup-contract";
import * as models from "@/lib/records/models/lookup-service";

export const GET = forAnthropicClients(
  handle(getAnthropicModelByParts, anthropic.getByParts),
  handle(getModelByParts, models.getByParts),
);
