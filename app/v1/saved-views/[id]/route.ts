import { handle } from "@/lib/server/handle";
import { deleteSavedView, updateSavedView } from "@/lib/records/saved-views/contract";
import * as savedViews from "@/lib/records/saved-views/service";

export const PATCH = handle(updateSavedView, savedViews.update);
export const DELETE = handle(deleteSavedView, savedViews.remove);
