import { getOverview } from "@/lib/features/analytics/contract";
import { overview } from "@/lib/features/analytics/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getOverview, overview);
