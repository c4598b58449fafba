import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectSecrets } from "./secrets";

const found = (text: string) => detectSecrets(text).map(({ start, end }) => text.slice(start, end));
/** Values are put together here, so that no scanner takes this file for a leak. */
const token = (beginning: string, length: number) =>
  beginning + "q7Rz2kWm9Xc4Vb6Nt1Lp8Sd3Fg5Hj0".repeat(9).slice(0, length);

const edge = (side: string, kind: string) => ["-----", side, ` ${kind} PRIVATE KEY-----`].join("");

describe("secrets", () => {
  it.each([
    [token("ghp_", 36)],
    [token("glpat-", 20)],
    [token("sk-ant-api03-", 93)],
    [token("npm_", 36)],
    [token("hf_", 34)],
    [token("sk_live_", 24)],
    [token("sk_live_", 10)],
  ])("finds the token %#", (value) => {
    expect(found(`use ${value}, please`)).toEqual([value]);
    expect(found(`KEY="${value}"`)).toEqual([value]);
    expect(found(`x${value}`)).not.toContain(value);
  });

  it.each(["encryption_key", "SigningKey", "api key", "my-key", "accountkey", "auth", "credentials", "mot de passe"])(
    "finds the value of %j",
    (word) => {
      const value = token("", 24);
      expect(found(`${word} = "${value}"`)).toEqual([value]);
      expect(found(`${word}: ${value}, then ${word}: ${value}`)).toEqual([value, value]);
    },
  );

  it.each(["DB_PASS", "dbPass", "pass", "authtoken", "secretKey2", "tokens", "db_password"])(
    "takes %j for a word for a secret",
    (word) => {
      const value = token("", 24);
      for (const by of ["=", " := ", ": "]) expect(found(`${word}${by}"${value}"`)).toEqual([value]);
    },
  );

  it("finds passwords in SQL", () => {
    const value = token("", 12);
    expect(found(`CREATE USER kim IDENTIFIED BY '${value}';`)).toEqual([value]);
    expect(found(`ALTER ROLE kim WITH PASSWORD '${value}';`)).toEqual([value]);
  });

  it.each([
    '{"tokenizer":"cl100k_base2"}',
    '{"token":"cl100k_base"}',
    "token_encoding: o200k_base",
    "Secretary: JYellen1946treasury",
    "AuthFail:sts:5_rsn:0/4x8a9_id:77",
    'secret_status: "rate_limit_exceeded_2"',
    "token = gpt-4o-mini-2024-07-18",
    "PASS: test/parallel/test-x1.js",
    "bypass: q7Rz2kWm9Xc4Vb6",
    "authority: q7Rz2kWm9Xc4Vb6",
  ])("takes no part of a word for a secret, and no identifier for its value: %j", (text) =>
    expect(found(text)).toEqual([]),
  );

  it("finds a private key as a whole, and one that is cut off", () => {
    const lines = Array.from({ length: 6 }, (_, line) => token(String(line), 63)).join("\n");
    const whole = `${edge("BEGIN", "RSA")}\n${lines}\n${edge("END", "RSA")}`;
    expect(found(`key:\n${whole}\nbye`)).toEqual([whole]);
    expect(found(`${edge("BEGIN", "EC")}\n${lines}`).join("")).toContain(lines.slice(-20));
    expect(found(edge("BEGIN", "EC"))).toEqual([]);
  });

  it("redacts only the password of a URL and of a command", () => {
    const password = token("", 12);
    expect(found(`postgres://app:${password}@db:5432/app`)).toEqual([password]);
    expect(found(`curl -s -u kim:${password} https://x.example`)).toEqual([password]);
    expect(found(`{"db_password": "${password}"}`)).toEqual([password]);
    expect(found(`password is: ${password}.`)).toEqual([password]);
    expect(found(`<server><db.password>${password}</db.password></server>`)).toEqual([password]);
  });

  it.each<[place: string, write: (value: string) => string]>([
    ["an option", (value) => `mysql -u root --password ${value} -h db`],
    ["a variable of an image", (value) => `FROM base\nENV DB_PASSWORD ${value}\nRUN make`],
    ["a Markdown table", (value) => `| host | db |\n| password | ${value} |`],
    ["a list of pairs", (value) => `[{"name": "password", "value": "${value}"}]`],
    ["a list of pairs in YAML", (value) => `env:\n  - name: DB_PASSWORD\n    value: "${value}"\n  - name: HOST`],
  ])("finds a password in %s", (_, write) => {
    expect(found(write("Tr0ub4dor&3x"))).toEqual(["Tr0ub4dor&3x"]);
    expect(found(write("${DB_PASSWORD}"))).toEqual([]);
  });

  it.each([
    "AKIAIOSFODNN7EXAMPLE",
    "echo $password | base64",
    "run it with --password and --token-file tokens2024.json",
    "gpg --keyserver hkps://keys.openpgp.org --recv-keys 5BE8A3F6C8A5C01D106C0AD820B1A390B168D356",
    "--secret-name k3J9sLq0ZxPw82mNvB71",
    "| token_count | k3J9sLq0ZxPw82mNvB71 |",
    '{"name": "secret_id", "value": "k3J9sLq0ZxPw82mNvB71"}',
    "- name: TOKEN_URL\n  value: k3J9sLq0ZxPw82mNvB71",
    `ghp_${"x".repeat(36)}`,
    "password: string; token = getToken(user)",
    "<token_type>k3J9sLq0ZxPw82mNvB71</token_type>",
    "if (token > k3J9sLq0ZxPw82mNvB71)",
    "postgres://user:password@localhost/app",
    "token_type: bearer, max_tokens: 4096",
    "secret_name: my-app-secret-2",
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "api_key=${API_KEY}",
    "token: android.os.BinderProxy@2bd79ce",
  ])("ignores %j", (text) => expect(found(text)).toEqual([]));

  it("returns ascending spans within the text that don't overlap", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "token",
            "=",
            '"',
            " ",
            "a1b2c3d4e5f6",
            "sk-",
            "://a:",
            "@b",
            "eyJhbGciOiJIUzI1",
            ".",
            "-----BEGIN PRIVATE KEY-----",
            "-----END PRIVATE KEY-----",
            "\n",
            "curl -u ",
            "Bearer ",
          ),
          { maxLength: 30 },
        ),
        (parts) => {
          const text = parts.join("");
          const spans = detectSecrets(text);
          return spans.every(
            ({ start, end }, index) => start >= (spans[index - 1]?.end ?? 0) && start < end && end <= text.length,
          );
        },
      ),
    ));
});
