import { handle } from "@/lib/http/handle";
import { listProviderHealth } from "@/lib/providers/contract";
import * as health from "@/lib/providers/health";

export const GET = handle(listProviderHealth, health.list);
