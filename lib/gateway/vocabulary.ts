/** Fields of inference requests with texts of a conversation, which may contain anything that a tool printed. */
export const TEXT_FIELDS = ["input", "instructions", "messages", "system", "prompt", "suffix", "tools"] as const;
