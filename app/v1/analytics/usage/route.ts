import { getUsage } from "@/lib/features/analytics/usage-contract";
import { usage } from "@/lib/features/analytics/usage-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getUsage, usage);
