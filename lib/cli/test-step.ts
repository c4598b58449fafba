import { stableStringify } from "../features/policy-file/canonical";
import type { FileTest } from "../features/policy-file/contract";
import { createPolicyTest, deletePolicyTest, listPolicyTests } from "../features/policy-tests/contract";
import { MAX_TESTS } from "../features/policy-tests/vocabulary";
import type { Api } from "./api";

const bodyOf = ({
  name,
  request,
  protocol = "responses",
  check_verdicts = null,
  answer = null,
  expected: { outcome, field = null, rule = null },
}: FileTest) => ({ name, request, protocol, check_verdicts, answer, expected: { outcome, field, rule } });

/** Replaces a guardrail's tests with the file's tests; a changed test counts as a new one. */
export async function applyTests(api: Api, id: string, wanted: readonly FileTest[]): Promise<void> {
  const missing = wanted.map(bodyOf);
  const { data: stored } = await api.call(listPolicyTests, { params: { id }, query: { limit: String(MAX_TESTS) } });
  for (const { id: test_id, ...test } of stored) {
    const place = missing.findIndex((body) => stableStringify(body) === stableStringify(bodyOf(test)));
    if (place >= 0) missing.splice(place, 1);
    else await api.call(deletePolicyTest, { params: { id, test_id } });
  }
  for (const body of missing) await api.call(createPolicyTest, { params: { id }, body });
}
