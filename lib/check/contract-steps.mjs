// Finds steps of migrations that break servers of the previous release.

/** @typedef {{name: string, sql: string}} Migration */

const NAME = String.raw`"?([\w.]+)"?`;

/**
 * Statements, or actions of ALTER TABLE, that remove or restrict something that a running server uses.
 * @type {readonly (readonly [step: string, pattern: RegExp])[]}
 */
const STEPS = [
  ["drops a table", /^DROP TABLE\b/i],
  ["drops a type", /^DROP TYPE\b/i],
  ["drops a column", /^DROP (?:COLUMN\b|")/i],
  ["renames", /^RENAME\b/i],
  ["changes a type", /^ALTER (?:COLUMN )?\S+ (?:SET DATA )?TYPE\b/i],
  ["requires a column", /^ALTER (?:COLUMN )?\S+ SET NOT NULL\b/i],
  [
    "adds a required column without a default",
    /^ADD (?:COLUMN )?(?!CONSTRAINT)(?!.*\b(?:DEFAULT|GENERATED)\b).*\bNOT NULL\b/i,
  ],
  ["renames a type or one of its values", /^ALTER TYPE \S+ RENAME\b/i],
];

const withoutComments = (/** @type {string} */ sql) => sql.replaceAll(/--.*$|\/\*[\s\S]*?\*\//gm, "");

/** Splits at a separator outside parentheses and quotes; bodies of functions are skipped. @param {string} text @param {string} separator */
function split(text, separator) {
  const parts = [];
  let part = "";
  let depth = 0;
  for (const [token] of text.replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''").matchAll(/'(?:[^']|'')*'|"[^"]*"|[\s\S]/g)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token === separator && depth === 0) {
      parts.push(part);
      part = "";
    } else part += token;
  }
  return [...parts, part].map((text) => text.replaceAll(/\s+/g, " ").trim()).filter(Boolean);
}

/** Statements, and each action of an ALTER TABLE, with the table. @param {string} sql */
const actionsOf = (sql) =>
  split(withoutComments(sql), ";").flatMap((statement) => {
    const [head, table = ""] = new RegExp(`^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?${NAME} `, "i").exec(statement) ?? [];
    if (head !== undefined) return split(statement.slice(head.length), ",").map((text) => ({ table, text }));
    const [, dropped] = /^DROP TABLE (?:IF EXISTS )?(.+?)(?: CASCADE| RESTRICT)?$/i.exec(statement) ?? [];
    if (dropped === undefined) return [{ table: "", text: statement }];
    return split(dropped, ",").map((name) => ({ table: name.replaceAll('"', ""), text: statement }));
  });

/**
 * Returns the contract steps of migrations since a release. Tables created since then may change, because that release doesn't use
 * them.
 * @param {readonly Migration[]} migrations
 */
export function contractSteps(migrations) {
  const created = new Set();
  return migrations.flatMap(({ name, sql }) =>
    actionsOf(sql).flatMap(({ table, text }) => {
      const [, made] = new RegExp(`^CREATE TABLE (?:IF NOT EXISTS )?${NAME}`, "i").exec(text) ?? [];
      if (made) created.add(made);
      const step = STEPS.find(([, pattern]) => pattern.test(text))?.[0];
      return step === undefined || created.has(table) ? [] : [{ name, problem: `${step}: ${table} ${text}`.trim() }];
    }),
  );
}
