// Vitest is a server, so server code may run here.
export {};
