import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import { addressProblem, urlProblem } from "./blocked-address";

const PUBLIC = [
  "https://api.openai.com/v1",
  "https://api.openai.com:8443/v1/",
  "https://api.openai.com./v1",
  "https://1.1.1.1/",
  "https://134744072/", // 8.8.8.8
  "https://[2606:4700:4700::1111]/",
  "https://[::ffff:8.8.8.8]/",
  "https://[64:ff9b::8.8.8.8]/", // 8.8.8.8 through NAT64
  "https://localhost.example.com/",
  "https://127.0.0.1.nip.example/", // a name: judged by what it resolves to
];

const PRIVATE = [
  "https://localhost/",
  "https://LOCALHOST./",
  "https://api.localhost/",
  "https://printer.local/",
  "https://vault.internal/",
  "https://nas.home.arpa/",
  "https://box.lan/",
  "https://foo。local/", // the ideographic full stop counts as a dot
  "https://127.0.0.1/",
  "https://127.0.0.1./",
  "https://127.1/",
  "https://127.255.255.254/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.1/",
  "https://0177.0.0.01/",
  "https://017700000001/",
  "https://①②⑦.⓪.⓪.①/",
  "https://%31%32%37.0.0.1/",
  "https://0/",
  "https://0.0.0.0/",
  "https://10.0.0.1/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.1.1/",
  "https://0xc0a80101/",
  "https://100.64.0.1/", // carrier-grade NAT
  "https://192.0.0.170/",
  "https://192.0.2.1/",
  "https://198.18.0.1/",
  "https://203.0.113.9/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  "https://[::]/",
  "https://[::1]/",
  "https://[0:0:0:0:0:0:0:1]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::ffff:0:127.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::1]/",
  "https://[2002:7f00:1::]/", // 6to4 of 127.0.0.1
  "https://[2002:808:808::]/",
  "https://[64:ff9b:1::8.8.8.8]/",
  "https://[2001:0:7f00:1::1]/", // Teredo
  "https://[fc00::1]/",
  "https://[fd12:3456::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  "https://[2001:db8::1]/",
  "https://[100::1]/",
  "http://api.openai.com/v1",
];

const NEVER = [
  "https://169.254.169.254/latest/meta-data/",
  "http://169.254.170.2/",
  "https://2852039166/", // 169.254.169.254
  "https://0xa9fea9fe/",
  "https://0251.0376.0251.0376/",
  "https://[::ffff:169.254.169.254]/",
  "https://[::169.254.169.254]/",
  "https://[64:ff9b::169.254.169.254]/",
  "https://[64:ff9b:1::169.254.169.254]/", // NAT64 of a network's own prefix
  "https://[2002:a9fe:a9fe::]/", // 6to4
  "https://192.0.0.192/",
  "https://[fd00:ec2::254]/",
  "https://[fe80::1]/",
  "https://100.100.100.200/",
  "https://168.63.129.16/",
  "http://metadata.google.internal/",
  "http://METADATA.google.internal./computeMetadata/v1/",
  "http://user:secret@api.openai.com/",
  "https://127.0.0.1@api.openai.com/",
  "ftp://api.openai.com/",
  "file:///etc/passwd",
  "unix:/run/docker.sock",
  "javascript:alert(1)",
  "//api.openai.com/",
  "https://[fe80::1%25eth0]/",
  "https://256.256.256.256/",
  "",
];

describe("urlProblem", () => {
  it.each(PUBLIC)("allows %s", (url) => expect([urlProblem(url, false), urlProblem(url, true)]).toEqual([null, null]));
  it.each(PRIVATE)("allows %s only with private upstreams", (url) => {
    expect([typeof urlProblem(url, false), urlProblem(url, true)]).toEqual(["string", null]);
  });
  it.each(NEVER)("never allows %s", (url) =>
    expect([typeof urlProblem(url, false), typeof urlProblem(url, true)]).toEqual(["string", "string"]),
  );

  it("gives the same result for every spelling of an address", () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.boolean(), (number, allowPrivate) => {
        const octets = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
        const dotted = octets.join(".");
        const spellings = [
          String(number),
          `0x${number.toString(16)}`,
          octets.map((octet) => `0${octet.toString(8)}`).join("."),
          `[::ffff:${dotted}]`,
          `[64:ff9b::${dotted}]`,
        ];
        const verdicts = [dotted, ...spellings].map((host) => urlProblem(`https://${host}/`, allowPrivate) === null);
        expect(new Set(verdicts).size).toBe(1);
      }),
    );
  });

  it("allows no IPv6 address outside the routed range", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 255 }), fc.uint8Array({ minLength: 15, maxLength: 15 }), (first, rest) => {
        const address = ipaddr.fromByteArray([first, ...rest]).toString();
        if (addressProblem(address, false) === null) expect(first >> 5).toBe(1);
      }),
    );
  });
});
