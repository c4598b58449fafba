/** The process answers. */
export const GET = async () => Response.json({ status: "ok" });
