import { handle } from "@/lib/server/handle";
import { tagKeys } from "@/lib/records/keys/tags-service";
import { bulkTagKeys } from "@/lib/records/keys/tags-contract";

export const POST = handle(bulkTagKeys, tagKeys);
