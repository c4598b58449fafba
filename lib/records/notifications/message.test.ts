import { expect, it } from "vitest";
import { emailOf, maskedUrl, slackBody } from "./message";

it("escapes markup for Slack", () => {
  const message = {
    title: "A & B",
    text: "<!channel> 5 > 3",
    link: { label: "Open", url: "https://s.test/alerts?a=1" },
  };
  expect(slackBody(message)).toEqual({
    text: "A &amp; B: &lt;!channel&gt; 5 &gt; 3",
    blocks: [
      { type: "section", text: { type: "mrkdwn", text: "*A &amp; B*\n&lt;!channel&gt; 5 &gt; 3" } },
      { type: "section", text: { type: "mrkdwn", text: "<https://s.test/alerts?a=1|Open>" } },
    ],
  });
});

it("has a subject of one line", () => {
  expect(emailOf({ title: "Errors\r\nBcc: x@y.test", text: "Hello", link: null })).toEqual({
    subject: "Errors Bcc: x@y.test",
    text: "Hello\n",
  });
});

it.each([
  ["https://hooks.slack.com/services/T0000/B0000/abcdefghWXYZ", "https://hooks.slack.com/…WXYZ"],
  ["http://127.0.0.1:9/short", "http://127.0.0.1:9/…"],
])("masks %s as %s", (url, masked) => {
  expect(maskedUrl(url)).toBe(masked);
});
