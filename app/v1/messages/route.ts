import { createMessage } from "@/lib/gateway/messages-contract";
import * as messages from "@/lib/gateway/messages-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(createMessage, messages.create);
