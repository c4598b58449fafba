import { CHECK_FORMATS } from "@/lib/engine/checks/vocabulary";

export const CHECK_FORMAT_LABELS = {
  signalbox: "Signalbox",
  litellm: "LiteLLM",
} as const satisfies Record<(typeof CHECK_FORMATS)[number], string>;
export const CHECK_FORMAT_OPTIONS = CHECK_FORMATS.map((value) => ({ value, label: CHECK_FORMAT_LABELS[value] }));
