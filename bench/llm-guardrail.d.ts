declare module "llm_guardrail" {
  export function checkInjection(text: string): Promise<{ detected: boolean }>;
  export function checkAll(text: string): Promise<{ allowed: boolean }>;
}
