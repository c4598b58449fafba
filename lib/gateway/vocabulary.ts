/** Fields of inference requests with conversation texts, which may contain any tool output. */
export const TEXT_FIELDS = ["input", "instructions", "messages", "system", "prompt", "suffix", "tools"] as const;
