import { UNRESTRICTED_FIELDS } from "./contract";
import type { Layer } from "./layers";

const { allowed_models, ignored_models, content_filter_builtins, content_filters, external_checks, judges } =
  UNRESTRICTED_FIELDS;

/**
 * Returns the layers for a judge's own request: budgets, providers, data regions and zero data retention apply, because
 * it costs money and sends the same content. Its model is the guardrail's choice, the content has been filtered, and
 * nothing judges the judge.
 */
export const judgeLayers = (layers: readonly Layer[]): Layer[] =>
  layers.map((layer) => ({
    ...layer,
    isForJudge: true,
    guardrail: {
      ...layer.guardrail,
      allowed_models,
      ignored_models,
      content_filter_builtins,
      content_filters,
      external_checks,
      judges,
    },
  }));
