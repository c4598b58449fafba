// The upstream of the gateway benchmark: node:http, one canned answer, whole or as 50 chunks.
import { createServer } from "node:http";

const usage = { prompt_tokens: 180, completion_tokens: 50, total_tokens: 230 };
const heading = { id: "chatcmpl-bench", created: 0, model: "model" };
const words = Array.from({ length: 50 }, (_, index) => `word${index} `);
const message = { role: "assistant", content: words.join("") };
const whole = JSON.stringify({
  ...heading,
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: "stop" }],
  usage,
});
/** @param {object} fields */
const event = (fields) => `data: ${JSON.stringify({ ...heading, object: "chat.completion.chunk", ...fields })}\n\n`;
const chunks = [
  ...words.map((content) => event({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
  event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  event({ choices: [], usage }),
  "data: [DONE]\n\n",
];

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (/** @type {string} */ part) => (body += part));
  request.on("end", () => {
    const { stream: isStream = false, max_tokens: mostTokens } = body === "" ? {} : JSON.parse(body);
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    if (!isStream) return response.end(whole);
    if (mostTokens === 1) return response.write(chunks[0]);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  });
});
server.listen(Number(process.env.PORT), "127.0.0.1");
