import { describe, expect, it } from "vitest";
import type { Protocol } from "../endpoint";
import { BUILTIN_DETECTORS } from "./builtin-detectors";
import { leavesOf } from "./leaves";
import { compilePatterns } from "./pattern-set";
import { scan } from "./scan";
import { CopyOnWrite } from "./write-back";

const SECRET = "PROJECT-FALCON";
const finders = { builtins: BUILTIN_DETECTORS, patterns: compilePatterns([SECRET]) };
const RULE = {
  detector: { kind: "pattern" as const, pattern: SECRET },
  action: "redact" as const,
  label: "[P]",
  scanScope: "all_messages" as const,
};

type Body = Record<string, unknown>;

/** Scans a body like the gateway: what matched, whether it can be redacted, and the redacted body. */
function judged(protocol: Protocol, body: Body) {
  const leaves = [...leavesOf(protocol, body)].filter((leaf) => leaf !== null);
  const { findings, redacted } = scan([RULE], leaves, finders, () => undefined);
  const copy = new CopyOnWrite(body);
  for (const { leaf, text } of redacted)
    if (leaves[leaf]?.form === "name") copy.rename(leaves[leaf].path, text);
    else copy.write(leaves[leaf]?.path ?? [], text);
  return {
    matches: findings.flatMap(({ spans }) => spans.map(({ leaf, start, end }) => leaves[leaf]?.text.slice(start, end))),
    isFixed: findings.some(({ isFixed }) => isFixed),
    body: copy.value,
  };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const fullWidth = (text: string) =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));
const units = (text: string, write: (code: string) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0).toString(16).padStart(4, "0"))).join("");

const pairs = (text: string, between = " ", before = "") =>
  Array.from(Buffer.from(text), (byte) => before + byte.toString(16).padStart(2, "0")).join(between);
const base32 = (text: string) =>
  Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, "0"))
    .join("")
    .replace(/.{1,5}/g, (bits) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".charAt(parseInt(bits.padEnd(5, "0"), 2)));

const ABOUT = base64(`about ${SECRET}`).replace(/=+$/, "");
/** The secret in base64 over several lines, across each line break. */
const wrapped = (columns: number, separator = "\n") => {
  const before = "x".repeat(Math.floor((columns * 3) / 4) - 7);
  return (base64(`${before} ${SECRET} and more text`).match(new RegExp(`.{1,${columns}}`, "g")) ?? [])
    .join(separator)
    .replace(/=+$/, "");
};

const HEXADECIMAL_LINES = (
  Buffer.from(`about ${SECRET}`)
    .toString("hex")
    .match(/.{1,16}/g) ?? []
).join("\n");

/** Disguises of the secret in a text, with the part that is redacted. */
const DISGUISES: [name: string, text: string, match?: string][] = [
  ["as it is", SECRET],
  ["a false data URL", `data:;base64,${SECRET}`, SECRET],
  ["a false data URL with a type", `data:text/plain;base64,${SECRET}`, SECRET],
  ["a false image", `data:image/png;base64,iVBORw0KGgo${SECRET}`, SECRET],
  ["the head of a data URL", `data:text/${SECRET};base64,aGk=`, SECRET],
  ["a data URL in plain text", `data:,${SECRET}`, SECRET],
  ["a percent-encoded data URL", "data:,PROJECT%2DFALCON", "PROJECT%2DFALCON"],
  [
    "a text in a data URL",
    `data:text/plain;base64,${base64(`the ${SECRET}!`)}`,
    base64(`the ${SECRET}!`).replace(/=+$/, ""),
  ],
  ["base64", base64(`about ${SECRET}`), base64(`about ${SECRET}`).replace(/=+$/, "")],
  ["base64 twice", base64(base64(`about ${SECRET}`)).replace(/=+$/, "")],
  ["base64url", Buffer.from(`>>> ${SECRET}`).toString("base64url")],
  ["base64 in lines of 64", wrapped(64)],
  ["base64 in lines of 76", wrapped(76)],
  ["base64 in lines of 12", wrapped(12)],
  ["base64 in indented lines", wrapped(40, "\r\n    ")],
  ["base64 in quoted lines", wrapped(40, "\n> ")],
  ["a letter before base64", `A${ABOUT}`, ABOUT],
  ["two letters before base64", `AB${ABOUT}`, ABOUT],
  ["a path before base64", `data/${ABOUT}`, `ata/${ABOUT}`],
  ["a control character in base64", base64(`\x01about ${SECRET}`)],
  ["a NUL in base64", base64(`\0about PROJECT-\0FALCON`).replace(/=+$/, "")],
  ["an invalid byte in base64", Buffer.from(`about ${SECRET} cafés`, "latin1").toString("base64url")],
  ["two texts in base64", `${base64(`${"x".repeat(31)} `).replace(/=+$/, "")}${ABOUT}`, ABOUT],
  ["hexadecimal", Buffer.from(SECRET).toString("hex")],
  ["hexadecimal lines before prose", `${HEXADECIMAL_LINES}\n\nand more`, HEXADECIMAL_LINES],
  ["hexadecimal lines behind prose", `these\n${HEXADECIMAL_LINES}`, HEXADECIMAL_LINES],
  ["hexadecimal in pairs", pairs(SECRET)],
  ["hexadecimal in pairs with colons", pairs(SECRET, ":")],
  ["hexadecimal in pairs behind a number", `10 ${pairs(SECRET)}`],
  ["hexadecimal in pairs over lines", pairs(SECRET).replace(/(.{23}) /, "$1\n")],
  ["an array of bytes", pairs(SECRET, ", ", "0x")],
  [
    "hexadecimal in groups of four digits",
    Buffer.from(`${SECRET}s.`)
      .toString("hex")
      .replace(/.{4}(?=.)/g, "$& "),
  ],
  ["base32", base32(SECRET)],
  ["quoted-printable", "PROJECT=2DFALCON caf=C3=A9", "PROJECT=2DFALCON"],
  ["a soft line break", "PROJECT-=\nFALCON"],
  ["a soft line break of mail", "PROJ=\r\nECT-FALCON"],
  ["full-width letters", fullWidth(SECRET)],
  ["mathematical letters", "𝗣𝗥𝗢𝗝𝗘𝗖𝗧-𝗙𝗔𝗟𝗖𝗢𝗡"],
  ["enclosed letters", "ⓅⓇⓄⒿⒺⒸⓉ-ⒻⒶⓁⒸⓄⓃ"],
  ["negative squared letters", "🅿🆁🅾🅹🅴🅲🆃-🅵🅰🅻🅲🅾🅽"],
  ["zero-width spaces", Array.from(SECRET).join("\u200b")],
  ["zero-width joiners", Array.from(SECRET).join("\u200d")],
  ["word joiners", Array.from(SECRET).join("\u2060")],
  ["byte order marks", Array.from(SECRET).join("\ufeff")],
  ["soft hyphens", "PRO\u00adJECT-FAL\u00adCON"],
  ["marks of direction", "PROJECT\u200e-\u200fFALCON"],
  ["an override of direction", "PRO\u202dJECT-FAL\u202cCON"],
  ["variation selectors", Array.from(SECRET).join("\ufe01")],
  [
    "tag characters",
    Array.from(SECRET, (character) => String.fromCodePoint(0xe0000 + character.charCodeAt(0))).join(""),
  ],
  ["tag characters within", Array.from(SECRET).join("\u{e0041}")],
  ["colours of terminals", "PROJECT\u001b[1;31m-\u001b[0mFALCON"],
  ["a noncharacter", "PROJECT\ufdd0-FALCON"],
  ["a line separator", "PROJECT-\u2028FALCON"],
  ["an escaped line break", "PROJECT-\\nFALCON"],
  ["control characters", "PRO\0JECT\x07-FALCON"],
  ["combining marks", Array.from(SECRET).join("\u0336")],
  ["Cyrillic look-alikes", "РRОJЕСТ-FАLСОN"],
  ["Greek look-alikes", "ΡROJΕCT-FΑLCΟN"],
  ["Cherokee look-alikes", "ᏢROJECT-FALᏟON"],
  ["Lisu look-alikes", "ꓑꓣOJECT-FꓮLCON"],
  ["Coptic look-alikes", "ⲢRⲞJECT-FALCⲞⲚ"],
  ["Canadian and Cherokee look-alikes", "ᑭᖇOJEᏟT-ᖴᗅLᏟON"],
  ["look-alikes beyond the basic plane", "PR𐊒JECT-F𐊠LCON"],
  ["other dashes", "PROJECT‑FALCON"],
  ["a bullet like a dash", "PROJECT⁃FALCON"],
  ["a line like a dash", "PROJECT─FALCON"],
  ["decimal HTML entities", Array.from(SECRET, (character) => `&#${character.charCodeAt(0)};`).join("")],
  ["hexadecimal HTML entities", units(SECRET, (code) => `&#x${code};`)],
  ["entities without a semicolon", "PROJECT&#45FALCON"],
  ["named HTML entities", "PROJECT&shy;&#8203;-FALCON"],
  ["nested HTML entities", "PROJECT&amp;amp;#45;FALCON"],
  ["percent encoding", units(SECRET, (code) => `%${code.slice(2)}`)],
  ["percent encoding twice", "PROJECT%252DFALCON"],
  ["percent-encoded zero-width spaces", "PROJECT%E2%80%8B-FALCON"],
  ["JSON escapes", units(SECRET, (code) => `\\u${code}`)],
  ["hexadecimal escapes", units(SECRET, (code) => `\\x${code.slice(2)}`)],
  ["escapes with braces", units(SECRET, (code) => `\\u{${code}}`)],
  ["JSON escapes in JSON within JSON", units(SECRET, (code) => `\\\\u${code}`)],
  ["hexadecimal escapes within texts", units(SECRET, (code) => `\\\\\\x${code.slice(2)}`)],
  ["hexadecimal escapes with braces", units(SECRET, (code) => `\\x{${code}}`)],
  ["escapes of eight digits", units(SECRET, (code) => `\\U0000${code}`)],
  ["octal escapes", units(SECRET, (code) => `\\${parseInt(code, 16).toString(8).padStart(3, "0")}`)],
  ["percent escapes of code units", units(SECRET, (code) => `%u${code}`)],
  ["bold Markdown", "**PROJECT**-**FALCON", "PROJECT**-**FALCON"],
  ["code spans", "PROJECT`-`FALCON"],
  ["struck Markdown", "PROJECT~~-~~FALCON"],
  ["Markdown escapes", "PROJECT\\-FALCON"],
  ["HTML tags", "PROJECT<b>-</b>FALCON"],
  ["an HTML comment", "PROJECT<!-- x -->-FALCON"],
  ["a line break", "PROJECT-\nFALCON"],
  ["a line break within a word", "PROJECT-FAL\nCON"],
  ["a Windows line break and indentation", "PROJECT-\r\n    FALCON"],
  ["a quoted line", "PROJECT-\n> FALCON"],
  ["several disguises at once", "ＰＲＯＪＥＣＴ&#45;\u200bF%41L<i>CON"],
];

const CONVERSATION: [Protocol, (content: unknown) => Body][] = [
  ["responses", (content) => ({ input: [{ role: "user", content }] })],
  ["chat_completions", (content) => ({ messages: [{ role: "user", content }] })],
  ["messages", (content) => ({ messages: [{ role: "user", content: [{ type: "text", text: content }] }] })],
];

it("has at least fifty disguises", () => expect(DISGUISES.length).toBeGreaterThanOrEqual(50));

describe.each(CONVERSATION)("%s", (protocol, bodyOf) => {
  it.each(DISGUISES)("%s is found and redacted where it is", (_, text, match = text) => {
    const { matches, isFixed, body } = judged(protocol, bodyOf(`see ${text} now`));
    expect(matches).toEqual([match]);
    expect(isFixed).toBe(false);
    expect(body).toEqual(bodyOf(`see ${text} now`.replace(match, () => "[P]")));
    expect(judged(protocol, body).matches).toEqual([]);
  });
});

const wide = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").toString("base64");
const schema = (property: Body) => ({ type: "object", properties: { a: { type: "string", ...property } } });
const pieces = (type: string) => [
  { type, text: "a PROJ" },
  { type: "image_url", image_url: { url: "https://example.com/a.png" } },
  { type, text: "ECT-FALCON b" },
];

/** Words of the alphabet of base64 whose bytes aren't text. */
const LONG = `${SECRET}.card.4111-1111-1111-1111.please_remember_this_for_later_use`;
const seal = { type: "redacted_thinking", data: LONG };
const image = Buffer.from(`\x89PNG\r\n\x1a\n${"\0".repeat(19)}`, "latin1").toString("base64");
const png = `data:image/png;base64,${image}${LONG.replaceAll(".", "_")}`;

const fromUser = (block: Body): Body => ({ messages: [{ role: "user", content: [block] }] });
const fromModel = (block: Body): Body => ({ messages: [{ role: "assistant", content: [block] }] });

/** Places in a request; `isFixed` where redaction would break it. */
const PLACES: [name: string, protocol: Protocol, body: Body, isFixed?: boolean][] = [
  ["instructions", "responses", { instructions: SECRET }],
  ["a plain input", "responses", { input: SECRET }],
  ["a refusal", "responses", { input: [{ role: "assistant", content: [{ type: "refusal", refusal: SECRET }] }] }],
  ["a summary", "responses", { input: [{ type: "reasoning", summary: [{ type: "summary_text", text: SECRET }] }] }],
  ["encrypted content that isn't", "responses", { input: [{ type: "reasoning", encrypted_content: SECRET }] }, true],
  ["an item of an unknown type", "responses", { input: [{ type: SECRET }] }, true],
  ["an unknown field", "responses", { input: [{ role: "user", content: "", note: [[SECRET]] }] }],
  ["a call's id", "responses", { input: [{ type: "function_call_output", call_id: SECRET, output: "" }] }, true],
  [
    "a call's name",
    "responses",
    { input: [{ type: "function_call", name: SECRET, call_id: "c", arguments: "{}" }] },
    true,
  ],
  [
    "arguments",
    "responses",
    { input: [{ type: "function_call", call_id: "c", arguments: JSON.stringify({ a: SECRET }) }] },
  ],
  [
    "a name in arguments",
    "responses",
    { input: [{ type: "function_call", call_id: "c", arguments: JSON.stringify({ [SECRET]: 1 }) }] },
  ],
  [
    "escaped arguments",
    "responses",
    { input: [{ type: "function_call", call_id: "c", arguments: `{"a":"${units(SECRET, (code) => `\\u${code}`)}"}` }] },
  ],
  [
    "JSON within arguments",
    "responses",
    {
      input: [
        {
          type: "function_call",
          call_id: "c",
          arguments: JSON.stringify({ a: `{"b":"${units(SECRET, (code) => `\\u${code}`)}"}` }),
        },
      ],
    },
  ],
  [
    "invalid arguments",
    "responses",
    { input: [{ type: "function_call", call_id: "c", arguments: `{"a":"${SECRET}` }] },
  ],
  ["a shell call", "responses", { input: [{ type: "shell_call", call_id: "c", action: { env: { KEY: SECRET } } }] }],
  [
    "a file's name",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", filename: `${SECRET}.txt` }] }] },
  ],
  ["a file", "responses", { input: [{ role: "user", content: [{ type: "input_file", file_data: base64(SECRET) }] }] }],
  [
    "a file in UTF-16",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_data: wide(SECRET) }] }] },
  ],
  [
    "a file in big-endian UTF-16",
    "responses",
    {
      input: [
        {
          role: "user",
          content: [
            { type: "input_file", file_data: Buffer.from(`\ufeff${SECRET}`, "utf16le").swap16().toString("base64") },
          ],
        },
      ],
    },
  ],
  [
    "a file that isn't base64",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_data: SECRET }] }] },
  ],
  [
    "a file with zeros",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_data: base64(`${SECRET}\0`) }] }] },
  ],
  [
    "a text that begins like an image",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_file", file_data: base64(`GIF89a ${SECRET}`) }] }] },
  ],
  [
    "an image's URL",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_image", image_url: `https://x.example/${SECRET}` }] }] },
    true,
  ],
  [
    "an image that is text",
    "responses",
    {
      input: [
        {
          role: "user",
          content: [{ type: "input_image", image_url: `data:image/svg+xml;base64,${base64(`<svg>${SECRET}</svg>`)}` }],
        },
      ],
    },
  ],
  [
    "audio that is text",
    "responses",
    { input: [{ role: "user", content: [{ type: "input_audio", input_audio: { format: "wav", data: SECRET } }] }] },
  ],
  ["two parts", "responses", { input: [{ role: "user", content: pieces("input_text") }] }],
  [
    "two items",
    "responses",
    {
      input: [
        { role: "user", content: "PROJECT-" },
        { role: "user", content: "FALCON" },
      ],
    },
  ],
  ["a tool's name", "responses", { tools: [{ type: "function", name: SECRET }] }, true],
  ["a tool's description", "responses", { tools: [{ type: "function", name: "f", description: SECRET }] }],
  [
    "a parameter's description",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: schema({ description: SECRET }) }] },
  ],
  ["an enum", "responses", { tools: [{ type: "function", name: "f", parameters: schema({ enum: [SECRET] }) }] }],
  [
    "a default",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: schema({ default: { x: SECRET } }) }] },
  ],
  [
    "a default that looks encrypted",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: schema({ default: { ...seal, input: [seal] } }) }] },
  ],
  ["metadata that look encrypted", "responses", { metadata: { data: LONG } }],
  [
    "an unknown field that looks encrypted",
    "responses",
    { tomorrow: { type: "reasoning", encrypted_content: LONG } },
    true,
  ],
  [
    "an image in a default",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: schema({ default: { image_url: png } }) }] },
  ],
  [
    "a parameter's pattern",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: schema({ pattern: SECRET }) }] },
    true,
  ],
  [
    "a parameter's name",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: { properties: { [SECRET]: {} } } }] },
    true,
  ],
  [
    "a required parameter",
    "responses",
    { tools: [{ type: "function", name: "f", parameters: { required: [SECRET] } }] },
    true,
  ],
  [
    "a grammar",
    "responses",
    {
      tools: [{ type: "custom", name: "f", format: { type: "grammar", syntax: "lark", definition: `s: "${SECRET}"` } }],
    },
    true,
  ],
  ["a tool of an unknown type", "responses", { tools: [{ type: "x", deep: { deeper: SECRET } }] }],
  ["the server of a tool", "responses", { tools: [{ type: "mcp", server_label: SECRET }] }, true],
  ["headers of a tool", "responses", { tools: [{ type: "mcp", server_label: "s", headers: { "x-a": SECRET } }] }],
  ["the chosen tool", "responses", { tool_choice: { type: "function", name: SECRET } }, true],
  ["a format's name", "responses", { text: { format: { type: "json_schema", name: SECRET, schema: {} } } }, true],
  [
    "a format's description",
    "responses",
    { text: { format: { type: "json_schema", name: "f", description: SECRET, schema: {} } } },
  ],
  [
    "a format's schema",
    "responses",
    { text: { format: { type: "json_schema", name: "f", schema: schema({ const: SECRET }) } } },
  ],
  ["a variable", "responses", { prompt: { id: "p", variables: { a: SECRET } } }],
  ["a variable's name", "responses", { prompt: { id: "p", variables: { [SECRET]: "a" } } }, true],
  ["metadata", "responses", { metadata: { a: SECRET } }],
  ["a name in metadata", "responses", { metadata: { [SECRET]: "a" } }, true],
  ["a cache key", "responses", { prompt_cache_key: SECRET }],
  ["a system message", "chat_completions", { messages: [{ role: "system", content: SECRET }] }],
  ["an author's name", "chat_completions", { messages: [{ role: "user", name: SECRET, content: "" }] }],
  [
    "a tool result",
    "chat_completions",
    { messages: [{ role: "tool", tool_call_id: "c", content: `{"a":"${SECRET}"}` }] },
  ],
  ["a tool call's id", "chat_completions", { messages: [{ role: "tool", tool_call_id: SECRET, content: "" }] }, true],
  [
    "a tool call's name",
    "chat_completions",
    {
      messages: [
        { role: "assistant", tool_calls: [{ id: "c", type: "function", function: { name: SECRET, arguments: "{}" } }] },
      ],
    },
    true,
  ],
  ["reasoning", "chat_completions", { messages: [{ role: "assistant", reasoning: SECRET }] }],
  [
    "reasoning details",
    "chat_completions",
    { messages: [{ role: "assistant", reasoning_details: [{ type: "x", data: SECRET }] }] },
  ],
  ["parts", "chat_completions", { messages: [{ role: "user", content: pieces("text") }] }],
  [
    "messages",
    "chat_completions",
    {
      messages: [
        { role: "user", content: "PROJECT-" },
        { role: "assistant", content: "FALCON" },
      ],
    },
  ],
  [
    "letters",
    "chat_completions",
    { messages: [{ role: "user", content: Array.from(SECRET, (text) => ({ type: "text", text })) }] },
  ],
  [
    "an image",
    "chat_completions",
    {
      messages: [
        { role: "user", content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${SECRET}` } }] },
      ],
    },
  ],
  [
    "a file in chat",
    "chat_completions",
    {
      messages: [
        { role: "user", content: [{ type: "file", file: { file_data: `data:text/plain;base64,${base64(SECRET)}` } }] },
      ],
    },
  ],
  ["a prediction", "chat_completions", { prediction: { type: "content", content: SECRET } }],
  ["a stop sequence", "chat_completions", { stop: [SECRET] }],
  ["a token's bias", "chat_completions", { logit_bias: { [SECRET]: 1 } }, true],
  [
    "a response format",
    "chat_completions",
    { response_format: { type: "json_schema", json_schema: { name: "f", schema: schema({ title: SECRET }) } } },
  ],
  [
    "a tool in chat",
    "chat_completions",
    { tools: [{ type: "function", function: { name: "f", description: SECRET } }] },
  ],
  ["a new field", "chat_completions", { tomorrow: { a: [SECRET] } }],
  ["instructions", "messages", { system: [{ type: "text", text: SECRET }] }],
  ["the blocks of a text", "messages", { messages: [{ role: "user", content: pieces("text") }] }],
  ["the input of a call", "messages", fromModel({ type: "tool_use", id: "t", name: "f", input: { a: [SECRET] } })],
  [
    "a name in the input of a call",
    "messages",
    fromModel({ type: "tool_use", id: "t", name: "f", input: { [SECRET]: 1 } }),
    true,
  ],
  ["the id of a call", "messages", fromModel({ type: "tool_use", id: SECRET, name: "f", input: {} }), true],
  ["a result", "messages", fromUser({ type: "tool_result", tool_use_id: "t", content: SECRET })],
  [
    "a result's blocks",
    "messages",
    fromUser({ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: SECRET }] }),
  ],
  [
    "a document",
    "messages",
    fromUser({ type: "document", title: "a", source: { type: "text", media_type: "text/plain", data: SECRET } }),
  ],
  [
    "a document's title",
    "messages",
    fromUser({ type: "document", title: SECRET, source: { type: "file", file_id: "f" } }),
  ],
  [
    "a document's data",
    "messages",
    fromUser({ type: "document", source: { type: "base64", media_type: "text/plain", data: base64(SECRET) } }),
  ],
  [
    "a document that looks encrypted",
    "messages",
    fromUser({ type: "document", source: { type: "text", media_type: "text/plain", data: LONG } }),
  ],
  [
    "a document in a result that looks encrypted",
    "messages",
    fromUser({
      type: "tool_result",
      tool_use_id: "t",
      content: [{ type: "document", source: { type: "text", media_type: "text/plain", data: LONG } }],
    }),
  ],
  [
    "the input of a call that looks encrypted",
    "messages",
    fromModel({ type: "tool_use", id: "t", name: "f", input: { ...seal, signature: LONG } }),
  ],
  ["a seal in the input of a call", "messages", fromModel({ type: "tool_use", id: "t", input: { content: [seal] } })],
  ["a seal in a message of the user", "messages", fromUser(seal)],
  ["a seal in a field of its own", "messages", fromModel({ type: "x", "messages/content": [seal] })],
  [
    "the type of another seal",
    "messages",
    fromModel({ type: "redacted_thinking", data: "", encrypted_content: LONG }),
    true,
  ],
  ["an image in the input of a call", "messages", fromModel({ type: "tool_use", id: "t", input: { url: png } })],
  [
    "an image's source in the input of a call",
    "messages",
    fromModel({
      type: "tool_use",
      id: "t",
      input: { source: { type: "base64", media_type: "image/png", data: png.slice(22) } },
    }),
  ],
  ["thinking", "messages", fromModel({ type: "thinking", thinking: SECRET, signature: "" })],
  ["a block of an unknown type", "messages", fromUser({ type: "x", deep: [SECRET] })],
  ["a stop sequence", "messages", { stop_sequences: [SECRET] }],
  ["a tool's description", "messages", { tools: [{ name: "f", description: SECRET, input_schema: {} }] }],
  ["the user's id", "messages", { metadata: { user_id: SECRET } }],
  ["a new field", "messages", { tomorrow: { a: [SECRET] } }],
];

it("has texts that look encrypted, and an image", () => {
  expect(judged("messages", fromModel(seal)).matches).toEqual([]);
  expect(judged("messages", fromUser({ type: "image", source: { type: "url", url: png } })).matches).toEqual([]);
});

it("finds keys in a document and in the input of a call as often as in a text", () => {
  const rule = { ...RULE, detector: { kind: "builtin" as const, slug: "secrets" as const } };
  const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  let state = 1;
  const random = (length: number) =>
    Array.from({ length }, () => digits[((state = (state * 48_271) % 2_147_483_647) >> 8) & 63]).join("");
  for (let turn = 0; turn < 50; turn += 1) {
    const data = `sk-ant-api03-${random(93)}AA`;
    for (const body of [
      fromUser({ type: "document", source: { type: "text", media_type: "text/plain", data } }),
      fromModel({ type: "tool_use", id: "t", name: "f", input: { data } }),
    ]) {
      const leaves = [...leavesOf("messages", body)].filter((leaf) => leaf !== null);
      expect(scan([rule], leaves, finders, () => undefined).found).toBe(1);
    }
  }
});

describe("a secret in", () => {
  it.each(PLACES)("%s of %s is found", (_, protocol, body, mustBlock = false) => {
    const { matches, isFixed, body: redacted } = judged(protocol, body);
    expect(matches.length).toBeGreaterThan(0);
    expect(isFixed).toBe(mustBlock);
    expect(judged(protocol, redacted).matches).toEqual([]);
  });
});
