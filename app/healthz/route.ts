/** Liveness probe. */
export const GET = async () => Response.json({ status: "ok" });
