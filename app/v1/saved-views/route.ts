import { handle } from "@/lib/http/handle";
import { createSavedView, listSavedViews } from "@/lib/saved-views/contract";
import * as savedViews from "@/lib/saved-views/service";

export const GET = handle(listSavedViews, savedViews.list);
export const POST = handle(createSavedView, savedViews.create);
