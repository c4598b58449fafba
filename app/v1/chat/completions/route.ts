import { createChatCompletion } from "@/lib/inference/contract";
import * as inference from "@/lib/inference/service";
import { handle } from "@/lib/http/handle";

export const POST = handle(createChatCompletion, inference.createChatCompletion);
