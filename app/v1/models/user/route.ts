import { handle } from "@/lib/server/handle";
import { listUserModels } from "@/lib/records/models/lookup-contract";
import * as models from "@/lib/records/models/lookup-service";

export const GET = handle(listUserModels, models.listOfUser);
