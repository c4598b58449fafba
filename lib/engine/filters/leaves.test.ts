import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leavesOf } from "./leaves";

const leaves = (protocol: "responses" | "chat_completions", body: Record<string, unknown>) =>
  [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
const found = (protocol: "responses" | "chat_completions", body: Record<string, unknown>) =>
  leaves(protocol, body).map(
    ({ path, text, isUser, form }) =>
      `${path.join(".")}=${text}${isUser ? " (user)" : ""}${form === "text" ? "" : ` [${form}]`}`,
  );
const inputOf = (item: Record<string, unknown>) => found("responses", { input: [item] });

describe("leavesOf a Responses body", () => {
  it("reads instructions, a plain input as user content, and prompt variables", () => {
    const body = {
      model: "m",
      user: "u",
      instructions: "be kind",
      input: "hello",
      prompt: { id: "p", variables: { type: "city", file: { type: "input_text", text: "Rome" } } },
    };
    expect(found("responses", body)).toEqual([
      "instructions=be kind",
      "input=hello (user)",
      "prompt.variables.type=city",
      "prompt.variables.file.text=Rome",
    ]);
  });

  it.each([
    [{ role: "user", content: "a" }, ["input.0.content=a (user)"]],
    [
      {
        type: "message",
        role: "assistant",
        content: [
          { type: "output_text", text: "a" },
          { type: "refusal", refusal: "b" },
        ],
        id: "msg_1",
        status: "completed",
      },
      ["input.0.content.0.text=a", "input.0.content.1.refusal=b"],
    ],
    [
      {
        type: "reasoning",
        id: "r",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "t" }],
        encrypted_content: "gAAA==",
      },
      ["input.0.summary.0.text=s", "input.0.content.0.text=t"],
    ],
    [{ type: "function_call", call_id: "c", name: "mail", arguments: "{}" }, ["input.0.arguments={} [json]"]],
    [
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "o" }] },
      ["input.0.output.0.text=o"],
    ],
    [{ type: "custom_tool_call", call_id: "c", name: "sql", input: "select" }, ["input.0.input=select"]],
    [
      { type: "shell_call", call_id: "c", action: { type: "exec", commands: ["ls"], env: { id: "7" } } },
      ["input.0.action.type=exec", "input.0.action.commands.0=ls", "input.0.action.env.id=7"],
    ],
    [
      { type: "shell_call_output", call_id: "c", output: [{ stdout: "so", stderr: "se" }] },
      ["input.0.output.0.stdout=so", "input.0.output.0.stderr=se"],
    ],
    [
      {
        type: "apply_patch_call",
        call_id: "c",
        operation: { type: "update_file", path: "a.ts", diff: "+x" },
        status: "completed",
      },
      ["input.0.operation.type=update_file", "input.0.operation.path=a.ts", "input.0.operation.diff=+x"],
    ],
    [
      { type: "mcp_call", id: "i", server_label: "crm", name: "find", arguments: "{}", output: "o" },
      ["input.0.arguments={} [json]", "input.0.output=o"],
    ],
    [{ type: "tomorrow", name: "Ann", note: { deep: ["x"] } }, ["input.0.name=Ann", "input.0.note.deep.0=x"]],
    [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBO" },
          { type: "input_file", filename: "cv.txt", file_data: "aGk=" },
        ],
      },
      [
        "input.0.content.0.image_url=data:image/png;base64,iVBO (user) [payload]",
        "input.0.content.1.filename=cv.txt (user)",
        "input.0.content.1.file_data=aGk= (user) [payload]",
      ],
    ],
  ])("%j", (item, expected) => {
    expect(inputOf(item)).toEqual(expected);
  });

  it("treats several words in a type, id or status field as content", () => {
    expect(inputOf({ type: "tomorrow", status: "call Ann at noon" })).toEqual(["input.0.status=call Ann at noon"]);
  });
});

describe("leavesOf a chat body", () => {
  it("reads every role, tool calls, tool results and the prediction", () => {
    const messages = [
      { role: "system", content: "s" },
      {
        role: "user",
        name: "Ann",
        content: [
          { type: "text", text: "u" },
          { type: "input_audio", input_audio: { data: "UklG", format: "wav" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        reasoning: "r",
        tool_calls: [{ id: "c", type: "function", function: { name: "mail", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c", content: "o" },
    ];
    expect(
      found("chat_completions", { messages, prediction: { type: "content", content: "p" }, metadata: { k: "v" } }),
    ).toEqual([
      "messages.0.content=s",
      "messages.1.name=Ann (user)",
      "messages.1.content.0.text=u (user)",
      "messages.1.content.1.input_audio.data=UklG (user) [payload]",
      "messages.2.reasoning=r",
      "messages.2.tool_calls.0.function.arguments={} [json]",
      "messages.3.content=o",
      "prediction.content=p",
    ]);
  });
});

it("covers every text that contains a space, in any item", () => {
  const textsIn = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(textsIn)
        : [];
  const key = fc.constantFrom(
    "type",
    "id",
    "name",
    "text",
    "call_id",
    "content",
    "action",
    "arguments",
    "data",
    "file_data",
    "x",
  );
  const item = fc.object({
    key,
    values: [fc.constantFrom("two words", "another text", "word", 7, null)],
    withDate: false,
  });
  fc.assert(
    fc.property(item, (given) => {
      const seen = leaves("responses", { input: [given] }).map(({ text }) => text);
      expect(
        textsIn(given)
          .filter((text) => text.includes(" "))
          .toSorted(),
      ).toEqual(seen.filter((text) => text.includes(" ")).toSorted());
    }),
  );
});
