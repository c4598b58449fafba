import { describe, expect, it } from "vitest";
import type { Detector } from "../detector";
import { detectAddress } from "./address";
import { detectCreditCard } from "./credit-card";
import { detectEmail } from "./email";
import { detectIpAddress } from "./ip-address";
import { detectPersonName } from "./person-name";
import { detectPhone } from "./phone";
import { detectPromptInjection } from "./prompt-injection";
import { detectSecrets } from "./secrets";
import { detectSsn } from "./ssn";
import { growth, processorTime } from "../../../testing/processor-time";

const DETECTORS: Record<string, Detector> = {
  detectEmail,
  detectPhone,
  detectPhoneOfRegions: (text) => detectPhone(text, ["DE", "FR", "US", "PL", "DK"]),
  detectSsn,
  detectCreditCard,
  detectIpAddress,
  detectPromptInjection,
  detectPersonName,
  detectAddress,
  detectSecrets,
};
const HOSTILE = [
  "1",
  "1 ",
  "1-",
  "1.",
  "12-",
  "+1",
  "(",
  "+12345678 ",
  "01 23456789 ",
  "call 1234567 ",
  "tel ",
  "4111 1111 1111 1111 ",
  "123-45-6789 ",
  "(555) 123-4567 10.0.0.1 ",
  "@",
  "a@",
  "a@a.",
  '"@',
  "x@example.com ",
  "ssh -a ",
  ":",
  "a:",
  "::",
  "1.1.1.1 ",
  "version 1.1.1.1 ",
  "a",
  "a ",
  " ",
  "ignore ",
  "ignore all ",
  "your ",
  "reveal your ",
  "pretend you ",
  "bypass safety ",
  "send messages to ",
  "ai ",
  "i g n o r e ",
  "ignoreall",
  "[system] ",
  "<system>",
  "---",
  "<|",
  "![x](https:a?",
  "A ",
  "Ab ",
  ",",
  "a-",
  "1\n",
  "1,",
  "0x61,",
  "PO Box 1 ",
  "A, 12345 B ",
  "12 A B C D ",
  "rue ",
  "Via de ",
  "Calle 1 no ",
  "1 N ",
  "Dr. Al-Ben, ",
  "curl ",
  "curl -u a",
  "secret",
  "token = ",
  "api_key_a",
  "passwd",
  "authorization_",
  "://a:",
  "a://b:cccc",
  "QWxsIHRl\n",
  "A\n",
  "A/B\n> ",
  "eyJ",
  "eyJaaaaaaaaaaaaaaaa.",
  "AKIA",
  "sk-",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----\n",
  "bearer a1b2c3d4e5f6g7h8",
  "%69",
  "\\u0069",
  "69",
  "aWdub3Jl",
  "vtaber flfgrz ",
  "Ａ",
  "е",
  "\u200b",
  "忽略",
  "前の",
];

describe.each(Object.entries(DETECTORS))("%s", (_, detect) => {
  it.each(HOSTILE)("takes linear time for %j", async (unit) => {
    const growthOfDetect = await growth(40_000, (size) => detect(unit.repeat(Math.ceil(size / unit.length))));
    expect(growthOfDetect).toBeLessThan(10);
  });

  it("takes linear time for texts whose code units aren't kept", async () => {
    const growthOfDetect = await growth(320_000, (size) => detect("12 A B C D ".repeat(Math.ceil(size / 11))));
    expect(growthOfDetect).toBeLessThan(10);
  });
});

const PROSE = "The quarterly report lists every team with its goals, and the reviewers read it on Monday. ";

it.each(["passwd", "token", "secrettoken", "api_key_a"])(
  "secrets take at most a hundred times as long for repeated %j as for prose",
  async (unit) => {
    const timeOf = (text: string) => processorTime(() => detectSecrets(text.repeat(Math.ceil(40_000 / text.length))));
    const [hostile, prose] = [await timeOf(unit), await timeOf(PROSE)];
    expect(hostile / prose).toBeLessThan(100);
  },
);
