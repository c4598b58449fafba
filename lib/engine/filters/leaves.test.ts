import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leavesOf } from "./leaves";

const leaves = (protocol: "responses" | "chat_completions", body: Record<string, unknown>) =>
  [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
/** Leaves that can be rewritten end in their text, fixed ones in a bar. */
const found = (protocol: "responses" | "chat_completions", body: Record<string, unknown>) =>
  leaves(protocol, body).map(
    ({ path, text, isUser, form, isFixed }) =>
      `${path.join(".")}=${text}${isUser ? " (user)" : ""}${form === "text" ? "" : ` [${form}]`}${isFixed ? " |" : ""}`,
  );
const inputOf = (item: Record<string, unknown>) => found("responses", { input: [item] });

describe("leavesOf a body", () => {
  it.each([
    ["responses", { input: "b", instructions: "a" }],
    ["messages", { messages: [{ role: "user", content: "b" }], system: "a" }],
  ] as const)(
    "reads the instructions of %s before the conversation, whatever comes first in the body",
    (protocol, body) => {
      const texts = [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
      expect(texts.map(({ text, turn }) => [text, turn])).toEqual([
        ["a", 0],
        ["b", 1],
      ]);
    },
  );
});

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
      "user=u",
      "input=hello (user)",
      "prompt.id=p |",
      "prompt.variables.type=city",
      "prompt.variables.file.text=Rome",
    ]);
  });

  it.each([
    [{ role: "user", content: "a" }, ["content=a (user)"]],
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
      ["content.0.text=a", "content.1.refusal=b", "id=msg_1 |"],
    ],
    [
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "t" }],
        encrypted_content: "PROJECT-FALCON",
      },
      ["summary.0.text=s", "content.0.text=t", "encrypted_content=PROJECT-FALCON |"],
    ],
    [
      {
        type: "reasoning",
        encrypted_content: Buffer.from([...Array(90).keys()].map((n) => (n * 97) % 256)).toString("base64"),
      },
      [],
    ],
    [
      { type: "function_call", call_id: "c", name: "mail", arguments: "{}" },
      ["call_id=c |", "name=mail |", "arguments={} [json]"],
    ],
    [
      { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "o" }] },
      ["call_id=c |", "output.0.text=o"],
    ],
    [
      { type: "custom_tool_call", call_id: "c", name: "sql", input: "select" },
      ["call_id=c |", "name=sql |", "input=select"],
    ],
    [
      { type: "shell_call", action: { type: "exec", commands: ["ls"], env: { id: "7" } } },
      [
        "action.type=exec",
        "action.commands=commands [name] |",
        "action.commands.0=ls",
        "action.env=env [name] |",
        "action.env.id=7",
      ],
    ],
    [
      { type: "shell_call_output", output: [{ stdout: "so" }] },
      ["output.0.stdout=stdout [name] |", "output.0.stdout=so"],
    ],
    [
      { type: "mcp_call", id: "i", server_label: "crm", name: "find", arguments: "{}", output: "o" },
      ["id=i |", "server_label=crm |", "name=find |", "arguments={} [json]", "output=o"],
    ],
    [
      { type: "tomorrow", name: "Ann", note: { deep: ["x"] } },
      ["type=tomorrow |", "name=Ann", "note=note [name] |", "note.deep=deep [name] |", "note.deep.0=x"],
    ],
    [{ type: "tomorrow", status: "call Ann at noon" }, ["type=tomorrow |", "status=call Ann at noon"]],
    [
      { type: "tomorrow", card: 4111111111111111, small: 7 },
      ["type=tomorrow |", "card=card [name] |", "card=4111111111111111 [number]", "small=small [name] |"],
    ],
    [
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_image", detail: "auto", image_url: "data:image/png;base64,iVBO" },
          { type: "input_image", image_url: "https://example.com/ann.png" },
          { type: "input_file", filename: "cv.txt", file_data: "aGk=" },
          { type: "input_text", text: "data:;base64,PROJECT-FALCON" },
        ],
      },
      [
        "content.0.image_url=data:image/png;base64,iVBO (user) [media]",
        "content.1.image_url=https://example.com/ann.png (user) |",
        "content.2.filename=cv.txt (user)",
        "content.2.file_data=aGk= (user) [file]",
        "content.3.text=data:;base64,PROJECT-FALCON (user)",
      ],
    ],
  ])("%j", (item, expected) => {
    expect(inputOf(item)).toEqual(expected.map((leaf) => `input.0.${leaf}`));
  });

  it("reads tools, their schemas, and the format of the answer", () => {
    const schema = {
      type: "object",
      properties: {
        city: { type: "string", description: "where", enum: ["Rome"], pattern: "^R" },
        street: { const: "s" },
      },
      required: ["city"],
      additionalProperties: false,
    };
    expect(
      found("responses", {
        tools: [
          { type: "function", name: "find", description: "finds", parameters: schema, strict: true },
          { type: "custom", name: "sql", format: { type: "grammar", syntax: "lark", definition: "start: WORD" } },
        ],
        text: { format: { type: "json_schema", name: "answer", schema: { title: "t" } } },
        metadata: { ticket: "PROJ-1" },
      }),
    ).toEqual([
      "tools.0.name=find |",
      "tools.0.description=finds",
      "tools.0.parameters.properties.city.description=where",
      "tools.0.parameters.properties.city.enum.0=Rome",
      "tools.0.parameters.properties.city.pattern=^R |",
      "tools.0.parameters.properties.street=street [name] |",
      "tools.0.parameters.properties.street.const=s",
      "tools.0.parameters.required.0=city |",
      "tools.1.name=sql |",
      "tools.1.format.definition=start: WORD |",
      "text.format.name=answer |",
      "text.format.schema.title=t",
      "metadata.ticket=ticket [name] |",
      "metadata.ticket=PROJ-1",
    ]);
  });
});

describe("leavesOf a chat body", () => {
  it("reads every role, tool calls, tool results, the prediction and stop sequences", () => {
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
    const body = {
      model: "m",
      messages,
      prediction: { type: "content", content: "p" },
      stop: ["END"],
      seed: 1234567890,
    };
    expect(found("chat_completions", body)).toEqual([
      "messages.0.content=s",
      "messages.1.name=Ann (user)",
      "messages.1.content.0.text=u (user)",
      "messages.1.content.1.input_audio.data=UklG (user) [media]",
      "messages.2.reasoning=r",
      "messages.2.tool_calls.0.id=c |",
      "messages.2.tool_calls.0.function.name=mail |",
      "messages.2.tool_calls.0.function.arguments={} [json]",
      "messages.3.tool_call_id=c |",
      "messages.3.content=o",
      "prediction.content=p",
      "stop.0=END",
      "seed=1234567890 [number] |",
    ]);
  });

  it.each(["responses", "chat_completions"] as const)(
    "reads a long number in any field that the protocol defines (%s)",
    (protocol) => {
      const body = { seed: 4111111111111111, max_tokens: 4111111111111111, temperature: 1, top_k: 4111111111111111 };
      expect(found(protocol, body)).toEqual([
        "seed=4111111111111111 [number] |",
        "max_tokens=4111111111111111 [number] |",
        "top_k=4111111111111111 [number] |",
      ]);
    },
  );

  it("numbers the texts of each message", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(
      leaves("chat_completions", {
        messages: [
          { role: "user", content },
          { role: "tool", tool_call_id: "c", content: "d" },
        ],
      }).map(({ text, turn }) => [text, turn]),
    ).toEqual([
      ["a", 0],
      ["b", 0],
      ["c", null],
      ["d", 1],
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

it("reads texts of many megabytes without a space", () => {
  const content = "QUJD".repeat(4 * 1024 * 1024);
  const read = leaves("chat_completions", { messages: [{ role: "assistant", content }] });
  expect(read.some(({ text }) => text === content)).toBe(true);
});
