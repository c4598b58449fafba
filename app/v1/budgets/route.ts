import { listBudgets } from "@/lib/budgets/contract";
import { list } from "@/lib/budgets/list";
import { handle } from "@/lib/http/handle";

export const GET = handle(listBudgets, list);
