import { createEmbeddings } from "@/lib/gateway/embeddings-contract";
import * as embeddings from "@/lib/gateway/embeddings-service";
import { handle } from "@/lib/server/handle";

export const POST = handle(createEmbeddings, embeddings.create);
