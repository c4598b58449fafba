import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Detector } from "../detector";
import { detectCreditCard } from "./credit-card";
import { detectEmail } from "./email";
import { detectIpAddress } from "./ip-address";
import { detectPhone } from "./phone";
import { detectSsn } from "./ssn";

const found = (detect: Detector, text: string) => detect(text).map(({ start, end }) => text.slice(start, end));

describe.each<[string, Detector, [string, string[]][]]>([
  [
    "e-mail addresses",
    detectEmail,
    [
      ["Write to a.b+c@example.co.uk, or <d@example.org>.", ["a.b+c@example.co.uk", "d@example.org"]],
      ["git@github.com:acme/site.git", []],
      ["git@github.com", []],
      ["ssh://git@git.example.com/x and https://user:pass@example.com/", []],
      ["ssh -p 2222 root@host.example.com", []],
      ["scp a.tar.gz deploy@host.example.com:/srv", []],
      ["leaked: kim@example.com:hunter2", ["kim@example.com"]],
      ["icon@2x.png getty@tty1.service react@19.0.0 a@b @handle", []],
      ["请发邮件到zhang@example.cn谢谢", ["zhang@example.cn"]],
      ["用户@例子.广告 und jörg@müller.example", ["用户@例子.广告", "jörg@müller.example"]],
      ['"john doe"@example.com', ['"john doe"@example.com']],
    ],
  ],
  [
    "phone numbers",
    detectPhone,
    [
      ["Call (415) 555-2671 x12 or +44 20 7946 0958.", ["(415) 555-2671 x12", "+44 20 7946 0958"]],
      ["My number is 4155552671.", ["4155552671"]],
      ["Tel.: 0371/5309012", ["0371/5309012"]],
      ["06 12 34 56 78", ["06 12 34 56 78"]],
      ["電話番号は03-1234-5678です", ["03-1234-5678"]],
      [
        '<input name="phone" type="text" value="4155552671"> <input value="4155552672" name="mobile"> <Tel>4155552673</Tel>',
        ["4155552671", "4155552672", "4155552673"],
      ],
      [
        '"phones": [{"type": "home", "number": "4155552671"}], homePhone: "4155552672", setPhone("4155552673")',
        ["4155552671", "4155552672", "4155552673"],
      ],
      ['<input name="microphone" value="4155552671"> iPhone = 4155552671 "phone_id": 4155552671', []],
      ["order 415-555-2671, card 4111 1111 1111 1111, SSN 219-09-9999, host 10.20.30.40", []],
      ["2024-01-15 10:20:30, 1700000000000, 550e8400-e29b-41d4-a716-446655440000", []],
      ["Dose 500-750-1000 mg", []],
      [
        "463-612-6138x036, (898)666-3621x0135, +1-903-140-4508x769",
        ["463-612-6138x036", "(898)666-3621x0135", "+1-903-140-4508x769"],
      ],
      ["They're not answering at 78 651 450", ["78 651 450"]],
      ["no message on my registered 668 5702", ["668 5702"]],
      ["reach me at 6996915, stop messages to 699 956 915", ["6996915", "699 956 915"]],
      ["We reach 1500000 users and sent messages to 2500000 people; call from 20240512 on", []],
      ["size 800x600 and 0x1234567", []],
    ],
  ],
  [
    "social security numbers",
    detectSsn,
    [
      ["219-09-9999 and 219 09 9998", ["219-09-9999", "219 09 9998"]],
      ["SSN 219099999", ["219099999"]],
      ["219099999 alone", []],
      ["000-12-3456 666-12-3456 900-12-3456 219-00-1234 219-09-0000", []],
      ["part no. 219-09-9999", []],
      ["id,ssn\n77,219-09-9999", ["219-09-9999"]],
    ],
  ],
  [
    "card numbers",
    detectCreditCard,
    [
      ["4111 1111 1111 1111 123", ["4111 1111 1111 1111"]],
      ["4111111111111112", []],
      ["3782-822463-10005", ["3782-822463-10005"]],
      ["9411111111111111111111", []],
      ["my Maestro card is 5018 6466 7909, or 501864667909", ["5018 6466 7909", "501864667909"]],
      ["id 501864667909", []],
      ["blk_-6952295868487656571 and 7024 5015 150454 240", []],
      ["IMEI 490154203237518", []],
      ["0000 0000 0000 0000", []],
    ],
  ],
  [
    "IP addresses",
    detectIpAddress,
    [
      ["10.0.0.1:8080, 10.0.0.0/8, http://[2001:db8::1]:443", ["10.0.0.1", "10.0.0.0", "2001:db8::1"]],
      ["fe80::1%eth0 ::ffff:192.0.2.1 ::1", ["fe80::1%eth0", "::ffff:192.0.2.1", "::1"]],
      ["version 1.2.3.4, v1.2.3.4, lib-1.2.3.4.tar.gz, x==1.2.3.4, Chrome/120.0.0.0", []],
      ["12:30:45 00:1A:2B:3C:4D:5E 00:1A:2B:FF:FE:3C:4D:5E 1.2.3.4.5 999.1.1.1", []],
      [
        "10.0.0.1/10.0.0.2 and 10.0.0.3:80/10.0.0.4:81, node/10.1.1.9:8088",
        ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.1.1.9"],
      ],
      ["std::vec a::b x[::2] x[1::3]", []],
    ],
  ],
])("%s", (_, detect, cases) => {
  it.each(cases)("%j", (text, expected) => expect(found(detect, text)).toEqual(expected));

  it("spans are ascending and don't overlap for any text", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("019 .-:/+()@#%[]aAeE\n")), maxLength: 120 }),
        (text) => {
          const spans = detect(text);
          return spans.every(
            ({ start, end }, index) => start >= (spans[index - 1]?.end ?? 0) && start < end && end <= text.length,
          );
        },
      ),
    ));
});
