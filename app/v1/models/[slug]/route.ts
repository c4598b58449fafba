import { handle } from "@/lib/server/handle";
import { deleteModel, getModel, updateModel } from "@/lib/records/models/contract";
import * as lookup from "@/lib/records/models/lookup-service";
import * as models from "@/lib/records/models/service";

export const GET = handle(getModel, lookup.get);
export const PATCH = handle(updateModel, models.update);
export const DELETE = handle(deleteModel, models.remove);
