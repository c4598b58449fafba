import {
  deleteSignInConnection,
  getSignInConnection,
  updateSignInConnection,
} from "@/lib/records/sign-in-connections/contract";
import { get, remove, update } from "@/lib/records/sign-in-connections/service";
import { handle } from "@/lib/server/handle";

export const GET = handle(getSignInConnection, get);
export const PATCH = handle(updateSignInConnection, update);
export const DELETE = handle(deleteSignInConnection, remove);
