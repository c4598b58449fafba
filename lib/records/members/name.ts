interface Named {
  firstName: string | null;
  lastName: string | null;
  email: string;
}

/** Returns a member's display name: their name, or their email address. */
export const nameOf = ({ firstName, lastName, email }: Named): string =>
  [firstName, lastName].filter(Boolean).join(" ") || email;
