import { exchange } from "@/lib/records/workload-identities/exchange-service";
import { exchangeToken } from "@/lib/records/workload-identities/token-contract";
import { handle } from "@/lib/server/handle";

export const POST = handle(exchangeToken, exchange);
