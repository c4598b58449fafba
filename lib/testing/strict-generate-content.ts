import { z } from "zod";

/** Request bodies as Google's public API accepts them: an unknown field anywhere is an error, and turns follow its rules. */

const text = z.string();
const record = z.record(text, z.unknown());
const base64 = text.regex(/^(?:[A-Za-z0-9+/_-]+={0,2})?$/, "must be base64");
const mimeType = text.regex(/^[a-z]+\/[a-z0-9.+-]+$/);
const functionName = text.regex(/^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/);

const media = {
  inlineData: z.strictObject({ mimeType, data: base64.min(1) }).optional(),
  fileData: z.strictObject({ fileUri: text.regex(/^(?:https?|gs):\/\//), mimeType }).optional(),
};
const DATA = ["text", "inlineData", "fileData", "functionCall", "functionResponse"] as const;
const part = z
  .strictObject({
    text: text.optional(),
    ...media,
    functionCall: z.strictObject({ id: text.optional(), name: functionName, args: record }).optional(),
    functionResponse: z
      .strictObject({
        id: text.optional(),
        name: functionName,
        response: record,
        parts: z.array(z.strictObject(media)).min(1).optional(),
      })
      .optional(),
    thoughtSignature: base64.min(1).optional(),
    mediaResolution: z
      .strictObject({ level: z.enum(["MEDIA_RESOLUTION_LOW", "MEDIA_RESOLUTION_MEDIUM", "MEDIA_RESOLUTION_HIGH"]) })
      .optional(),
  })
  .refine((given) => DATA.filter((name) => given[name] !== undefined).length === 1, "must have one kind of data")
  .refine(
    ({ mediaResolution, inlineData, fileData }) => !mediaResolution || Boolean(inlineData ?? fileData),
    "a resolution needs media",
  );
const content = z.strictObject({ role: z.enum(["user", "model"]), parts: z.array(part).min(1) });
type Content = z.output<typeof content>;

const callsOf = ({ parts }: Content) => parts.flatMap(({ functionCall }) => functionCall ?? []);
const responsesOf = ({ parts }: Content) => parts.flatMap(({ functionResponse }) => functionResponse ?? []);

/**
 * Returns the problem of function calls: the model makes them after a user turn, and each has a result in the next
 * turn.
 */
function pairing(contents: readonly Content[]): string | null {
  for (const [index, turn] of contents.entries()) {
    const [before, after] = [contents[index - 1], contents[index + 1]];
    const [calls, responses] = [callsOf(turn), responsesOf(turn)];
    if (turn.role === "user" && calls.length > 0) return "a user can't call functions";
    if (turn.role === "model" && responses.length > 0) return "the model can't answer calls";
    if (calls.length > 0 && before?.role !== "user") return "a call must come after a turn of the user";
    if (calls.length > 0 && after && responsesOf(after).length !== calls.length)
      return "the number of function responses must equal the number of calls";
    const called = before ? callsOf(before) : [];
    const isAnswer = ({ id, name }: (typeof responses)[number]) =>
      called.some((call) => call.name === name && (id === undefined || call.id === id));
    if (!responses.every(isAnswer)) return "a function response must answer a call of the turn before";
  }
  return null;
}

const count = z.number().int().positive();
const generationConfig = z
  .strictObject({
    temperature: z.number().min(0).max(2).optional(),
    topP: z.number().min(0).max(1).optional(),
    topK: count.optional(),
    candidateCount: count.max(8).optional(),
    maxOutputTokens: count.optional(),
    stopSequences: z.array(text.min(1)).min(1).max(5).optional(),
    responseLogprobs: z.boolean().optional(),
    logprobs: z.number().int().min(0).max(20).optional(),
    presencePenalty: z.number().min(-2).max(2).optional(),
    frequencyPenalty: z.number().min(-2).max(2).optional(),
    seed: z.number().int().optional(),
    responseMimeType: z.enum(["text/plain", "application/json", "text/x.enum"]).optional(),
    responseJsonSchema: record.optional(),
    responseModalities: z.array(z.enum(["TEXT", "IMAGE", "AUDIO"])).optional(),
    imageConfig: z
      .strictObject({ aspectRatio: text.optional(), imageSize: z.enum(["1K", "2K", "4K"]).optional() })
      .optional(),
    thinkingConfig: z
      .strictObject({
        includeThoughts: z.boolean().optional(),
        thinkingBudget: z.number().int().min(-1).optional(),
        thinkingLevel: z.enum(["MINIMAL", "LOW", "MEDIUM", "HIGH"]).optional(),
      })
      .refine(({ thinkingBudget: a, thinkingLevel: b }) => a === undefined || b === undefined, "both level and budget")
      .optional(),
  })
  .refine(
    ({ responseJsonSchema, responseMimeType }) => !responseJsonSchema || responseMimeType === "application/json",
    "a schema needs application/json",
  )
  .refine(({ logprobs, responseLogprobs }) => logprobs === undefined || responseLogprobs, "logprobs are off");

export const StrictGenerateContentBody = z
  .strictObject({
    contents: z.array(content).min(1),
    systemInstruction: z.strictObject({ parts: z.array(z.strictObject({ text: text.min(1) })).min(1) }).optional(),
    tools: z
      .array(
        z
          .strictObject({
            functionDeclarations: z
              .array(
                z.strictObject({
                  name: functionName,
                  description: text.optional(),
                  parametersJsonSchema: record.optional(),
                }),
              )
              .min(1)
              .max(512)
              .optional(),
            googleSearch: z.strictObject({}).optional(),
          })
          .refine((tool) => Object.keys(tool).length === 1, "must be one tool"),
      )
      .min(1)
      .optional(),
    toolConfig: z
      .strictObject({
        functionCallingConfig: z
          .strictObject({
            mode: z.enum(["AUTO", "ANY", "NONE", "VALIDATED"]),
            allowedFunctionNames: z.array(functionName).min(1).optional(),
          })
          .refine(
            ({ mode, allowedFunctionNames }) => !allowedFunctionNames || mode === "ANY" || mode === "VALIDATED",
            "names need the mode ANY or VALIDATED",
          ),
      })
      .optional(),
    generationConfig: generationConfig.optional(),
    serviceTier: z.enum(["flex", "standard", "priority"]).optional(),
  })
  .superRefine(({ contents, tools, toolConfig }, context) => {
    const problem = pairing(contents);
    if (problem !== null) context.addIssue({ code: "custom", message: problem, path: ["contents"] });
    const declared = (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
    const allowed = toolConfig?.functionCallingConfig.allowedFunctionNames ?? [];
    if (toolConfig && (declared.length === 0 || !allowed.every((name) => declared.some((one) => one.name === name))))
      context.addIssue({ code: "custom", message: "must name declared functions", path: ["toolConfig"] });
  });
