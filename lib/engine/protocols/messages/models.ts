/** Returns the version in a Claude model's name, as a number that orders them; null when there is none. */
function versionOf(model: string): number | null {
  const [, major, minor = "0"] = /claude-(?:[a-z]+-)*(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model) ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}

const isClaude = (model: string): boolean => /claude/i.test(model);

/**
 * True for models with a thinking budget: Claude before 4.6, and models of other vendors. Later models take an effort
 * and decide themselves.
 */
export const takesThinkingBudget = (model: string): boolean =>
  !isClaude(model) || (versionOf(model.toLowerCase()) ?? Infinity) < 406;

/** True for models that reject `temperature`, `top_p` and `top_k`: Claude from 4.7 on. */
export const rejectsSampling = (model: string): boolean =>
  isClaude(model) && (versionOf(model.toLowerCase()) ?? Infinity) >= 407;

/** Sampling parameters, which some models reject. */
export const SAMPLING: ReadonlySet<string> = new Set(["temperature", "top_p", "top_k"]);
