import { handle } from "@/lib/server/handle";
import { createSavedView, listSavedViews } from "@/lib/records/saved-views/contract";
import * as savedViews from "@/lib/records/saved-views/service";

export const GET = handle(listSavedViews, savedViews.list);
export const POST = handle(createSavedView, savedViews.create);
