import { useQueryClient } from "@tanstack/react-query";
import { sessionQuery } from "@/components/session/session-queries";
import { call, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  changePassword,
  deleteAccountSession,
  deleteOtherAccountSessions,
  listAccountSessions,
  updateAccount,
} from "@/lib/browser/operations/session-account";
import { getAccountSecurity } from "@/lib/browser/operations/session-factors";

export const accountSessionsQuery = apiQuery(listAccountSessions, {});
export const accountSecurityQuery = apiQuery(getAccountSecurity, {});

export function useUpdateAccount() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (body: CallInput<typeof updateAccount>["body"]) => call(updateAccount, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
}

function useSessionsEnding<Variables, Result>(mutationFn: (variables: Variables) => Promise<Result>) {
  return useApiMutation({ mutationFn, onSuccess: reload(listAccountSessions) });
}

export const useChangePassword = () =>
  useSessionsEnding((body: CallInput<typeof changePassword>["body"]) => call(changePassword, { body }));
export const useRevokeOwnSession = () =>
  useSessionsEnding(({ id }: { id: string }) => call(deleteAccountSession, { params: { id } }));
export const useSignOutElsewhere = () => useSessionsEnding(() => call(deleteOtherAccountSessions, {}));
