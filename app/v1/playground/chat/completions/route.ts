import { sendFromPlayground } from "@/lib/gateway/playground-contract";
import * as playground from "@/lib/gateway/playground-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(sendFromPlayground, playground.send);
