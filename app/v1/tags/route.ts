import { handle } from "@/lib/server/handle";
import { listTags } from "@/lib/records/tags/contract";
import * as tags from "@/lib/records/tags/service";

export const GET = handle(listTags, tags.list);
