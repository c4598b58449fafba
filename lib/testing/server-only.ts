// Vitest is a server: what may run only there may run here.
export {};
