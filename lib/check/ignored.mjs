import { existsSync, readFileSync } from "node:fs";

/** Folders that git ignores, such as build output: absent from a fresh checkout. */
const IGNORED = [
  ".git",
  ...(existsSync(".gitignore") ? (readFileSync(".gitignore", "utf8").match(/^[^#*\n]+(?=\/$)/gm) ?? []) : []),
];

/** True for a path in an ignored folder; a name without a slash is ignored at every level. @param {string} path */
export const isIgnored = (path) =>
  IGNORED.some(
    (folder) => `${path}/`.startsWith(`${folder}/`) || (!folder.includes("/") && `${path}/`.includes(`/${folder}/`)),
  );
