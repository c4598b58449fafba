import { handle } from "@/lib/server/handle";
import { getActivity } from "@/lib/features/analytics/activity-contract";
import * as analytics from "@/lib/features/analytics/activity-service";

export const GET = handle(getActivity, analytics.activity);
