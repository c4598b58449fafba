import { listBudgets } from "@/lib/records/budgets/contract";
import { list } from "@/lib/records/budgets/list-service";
import { handle } from "@/lib/server/handle";

export const GET = handle(listBudgets, list);
