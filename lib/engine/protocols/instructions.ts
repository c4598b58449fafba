/** Instruction in place of a field that an upstream's protocol lacks. */
export const JSON_INSTRUCTION = "Answer with one JSON object and nothing else: no other text, no code fence.";
export const NO_CALL_INSTRUCTION = "Answer in text. Don't call a tool.";
