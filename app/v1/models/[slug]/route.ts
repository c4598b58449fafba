import { forAnthropicClients } from "@/lib/server/anthropic-clients";
import { handle } from "@/lib/server/handle";
import { getAnthropicModel } from "@/lib/records/models/anthropic-contract";
import * as anthropic from "@/lib/records/models/anthropic-service";
import { deleteModel, getModel, updateModel } from "@/lib/records/models/contract";
import * as lookup from "@/lib/records/models/lookup-service";
import * as models from "@/lib/records/models/service";

export const GET = forAnthropicClients(handle(getAnthropicModel, anthropic.get), handle(getModel, lookup.get));
export const PATCH = handle(updateModel, models.update);
export const DELETE = handle(deleteModel, models.remove);
