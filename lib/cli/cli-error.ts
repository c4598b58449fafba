/** What the user of the tool can do something about: shown without a stack. */
export class CliError extends Error {}
