import { readiness } from "@/lib/server/health";

export const dynamic = "force-dynamic";

/** The database is reachable and its migrations are current. */
export const GET = readiness;
