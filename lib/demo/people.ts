/** Members of the sample organization; invited ones have no password yet. */
export const PEOPLE = [
  { email: "maya.okafor@example.com", first_name: "Maya", last_name: "Okafor", role: "org:admin", isInvited: false },
  {
    email: "jonas.lindqvist@example.com",
    first_name: "Jonas",
    last_name: "Lindqvist",
    role: "org:admin",
    isInvited: false,
  },
  { email: "priya.raman@example.com", first_name: "Priya", last_name: "Raman", role: "org:member", isInvited: false },
  { email: "tomas.varga@example.com", first_name: "Tomas", last_name: "Varga", role: "org:member", isInvited: false },
  { email: "elena.rossi@example.com", first_name: "Elena", last_name: "Rossi", role: "org:member", isInvited: false },
  { email: "kwame.mensah@example.com", first_name: "Kwame", last_name: "Mensah", role: "org:member", isInvited: false },
  {
    email: "sofia.almeida@example.com",
    first_name: "Sofia",
    last_name: "Almeida",
    role: "org:member",
    isInvited: false,
  },
  { email: "haruto.sato@example.com", first_name: "Haruto", last_name: "Sato", role: "org:member", isInvited: false },
  { email: "nadia.haddad@example.com", first_name: "Nadia", last_name: "Haddad", role: "org:member", isInvited: false },
  { email: "liam.byrne@example.com", first_name: "Liam", last_name: "Byrne", role: "org:member", isInvited: false },
  { email: "chloe.dubois@example.com", first_name: "Chloé", last_name: "Dubois", role: "org:member", isInvited: true },
  { email: "mateo.garcia@example.com", first_name: "Mateo", last_name: "García", role: "org:member", isInvited: true },
] as const;

export type Email = (typeof PEOPLE)[number]["email"];

/** The second workspace. */
export const RESEARCH = {
  slug: "research",
  name: "Research",
  description: "Experiments and evaluations, not used for customers",
  content_logging: true,
  content_retention_days: 30,
} as const;
