import { handle } from "@/lib/server/handle";
import { createModel, listModels } from "@/lib/records/models/contract";
import * as models from "@/lib/records/models/service";

export const GET = handle(listModels, models.list);
export const POST = handle(createModel, models.create);
