import { handle } from "@/lib/server/handle";
import { getModelOfAuthor } from "@/lib/records/models/lookup-contract";
import * as models from "@/lib/records/models/lookup-service";

export const GET = handle(getModelOfAuthor, models.getOfAuthor);
