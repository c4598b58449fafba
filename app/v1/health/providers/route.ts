import { handle } from "@/lib/server/handle";
import { listProviderHealth } from "@/lib/records/providers/contract";
import * as health from "@/lib/records/providers/health-service";

export const GET = handle(listProviderHealth, health.list);
