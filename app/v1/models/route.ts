import { forAnthropicClients } from "@/lib/server/anthropic-clients";
import { handle } from "@/lib/server/handle";
import { listAnthropicModels } from "@/lib/records/models/anthropic-contract";
import * as anthropic from "@/lib/records/models/anthropic-service";
import { createModel, listModels } from "@/lib/records/models/contract";
import * as models from "@/lib/records/models/service";

export const GET = forAnthropicClients(handle(listAnthropicModels, anthropic.list), handle(listModels, models.list));
export const POST = handle(createModel, models.create);
