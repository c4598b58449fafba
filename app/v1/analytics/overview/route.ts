import { getOverview } from "@/lib/analytics/contract";
import { overview } from "@/lib/analytics/service";
import { handle } from "@/lib/http/handle";

export const GET = handle(getOverview, overview);
