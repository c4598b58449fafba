import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDebounced } from "@/components/ui/use-debounced";
import { call, newIdempotencyKey, type CallInput } from "@/lib/browser/api-client";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { apiQuery, reload } from "@/lib/browser/api-query";
import {
  createPolicyTest,
  deletePolicyTest,
  listPolicyTests,
  runPolicyTests,
  updatePolicyTest,
  updatePolicyTests,
} from "@/lib/browser/operations/policy-tests";

/** Maximum number of tests per guardrail. */
const ALL = 100;

export const policyTestsQuery = (guardrailId: string) =>
  apiQuery(listPolicyTests, { params: { id: guardrailId }, query: { limit: ALL } });

export type TestedChanges = NonNullable<NonNullable<CallInput<typeof runPolicyTests>["body"]>["changes"]>;

/** Test results for a guardrail with the given changes. */
export const testRunQuery = (guardrailId: string, changes: TestedChanges) => ({
  ...apiQuery(runPolicyTests, { params: { id: guardrailId }, body: { changes } }),
  placeholderData: keepPreviousData,
  retry: false,
});

/** Number of tests that the changes fail; undefined while unknown, without tests, and for a guardrail that isn't stored. */
export function useFailedTests(guardrailId: string | null, changes: TestedChanges): number | undefined {
  const id = guardrailId ?? "";
  const debounced = useDebounced(changes);
  const tests = useQuery({ ...policyTestsQuery(id), enabled: guardrailId !== null });
  const hasTests = (tests.data?.data.length ?? 0) > 0;
  return useQuery({ ...testRunQuery(id, debounced), enabled: guardrailId !== null && hasTests }).data?.data.failed;
}

export type NewPolicyTest = CallInput<typeof createPolicyTest>["body"];

const onSuccess = reload(listPolicyTests, runPolicyTests);

export const useSavePolicyTest = () =>
  useApiMutation({
    mutationFn: ({ guardrailId, testId, body }: { guardrailId: string; testId: string | null; body: NewPolicyTest }) =>
      testId === null
        ? call(createPolicyTest, { params: { id: guardrailId }, body, idempotencyKey: newIdempotencyKey() })
        : call(updatePolicyTest, { params: { id: guardrailId, test_id: testId }, body }),
    onSuccess,
  });

export const useDeletePolicyTest = (guardrailId: string) =>
  useApiMutation({
    mutationFn: (testId: string) => call(deletePolicyTest, { params: { id: guardrailId, test_id: testId } }),
    onSuccess,
  });

export const useRequireTests = (guardrailId: string) =>
  useApiMutation({
    mutationFn: (tests_required: boolean) =>
      call(updatePolicyTests, { params: { id: guardrailId }, body: { tests_required } }),
    onSuccess,
  });
