import "server-only";
import type { SignInConnection as Row } from "../../../prisma/generated/client";
import { recordOwnChange } from "../../platform/audit/store";
import type { PublicContext } from "../../platform/context";
import { inTransaction } from "../../platform/database/transaction";

/** The provider's session, or all sessions of a person if only the subject is given. */
interface ProviderSessions {
  session: string | null;
  subject: string | null;
}

/** Ends the sessions that a provider names, and returns their number. */
export async function endSessions(
  { db, now, requestId }: PublicContext,
  { id: connectionId, organizationId, name }: Row,
  { session, subject }: ProviderSessions,
  by: string,
): Promise<number> {
  const where = {
    connectionId,
    ...(session !== null && { providerSession: session }),
    ...(subject !== null && { providerSubject: subject }),
  };
  return inTransaction(db, async (transaction) => {
    const rows = await transaction.session.findMany({ where, include: { member: true } });
    await transaction.session.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
    const members = new Map(rows.map(({ member }) => [member.id, member]));
    for (const { id, email } of members.values())
      await recordOwnChange(
        transaction,
        { organizationId, jobId: requestId, now },
        {
          action: "session.end_by_provider",
          target: { type: "member", id, name: email },
          after: { connection: name, by, sessions: rows.filter(({ memberId }) => memberId === id).length },
        },
      );
    return rows.length;
  });
}
